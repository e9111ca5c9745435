import { notScannedText, type ScanFacts } from "~/files/scan-gaps";

/** True when no file of the section was scanned, all for the same reason. */
const isOneCase = (files: readonly ScanFacts[]) =>
  files.every(({ isScanned, scanGap }) => !isScanned && scanGap === files[0]!.scanGap);

/** Replaces the mark on every file when no file of a section was scanned for viruses. */
export function ScanNote({ files }: { files: readonly ScanFacts[] }) {
  const [first, ...others] = files;
  if (first === undefined || !isOneCase(files)) return null;
  return (
    <p className="meta">
      {others.length === 0 ? "Filen" : "Filerne"} er {notScannedText(first)}.
    </p>
  );
}

/**
 * Returns the mark beside each file of a section in which only some were scanned. A referral may have thousands of
 * files.
 */
export function scanNotesOf(files: readonly ScanFacts[]): (file: ScanFacts) => string | undefined {
  const isSaidOnce = isOneCase(files);
  return (file) => (file.isScanned || isSaidOnce ? undefined : notScannedText(file));
}

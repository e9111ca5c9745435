import { notScannedText, type ScanFacts } from "~/files/scan-gaps";

/** Whether one sentence covers a section: none of its files has been scanned, and all of them for the same reason. */
const isOneCase = (files: readonly ScanFacts[]) =>
  files.every(({ isScanned, scanGap }) => !isScanned && scanGap === files[0]!.scanGap);

/** Replaces the mark on every file when no file of a section has been scanned for viruses. */
export function ScanNote({ files }: { files: readonly ScanFacts[] }) {
  const [first, ...others] = files;
  if (first === undefined || !isOneCase(files)) return null;
  return (
    <p className="meta">
      {others.length === 0 ? "Filen" : "Filerne"} er {notScannedText(first)}.
    </p>
  );
}

/** Beside one file of several, where others have been scanned, or have not for another reason. */
export function scanNoteOf(file: ScanFacts, files: readonly ScanFacts[]): string | undefined {
  return file.isScanned || isOneCase(files) ? undefined : notScannedText(file);
}

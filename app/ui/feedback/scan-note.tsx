interface ScannedFile {
  isScanned: boolean;
}

/** Said once for a section of files of which none has been scanned for viruses. */
export function ScanNote({ files }: { files: readonly ScannedFile[] }) {
  if (files.length === 0 || files.some(({ isScanned }) => isScanned)) return null;
  return <p className="meta">{files.length === 1 ? "Filen er ikke virusscannet." : "Filerne er ikke virusscannet."}</p>;
}

/** Beside one file of several, where others have been scanned. */
export function scanNoteOf(file: ScannedFile, files: readonly ScannedFile[]): string | undefined {
  return !file.isScanned && files.some(({ isScanned }) => isScanned) ? "ikke virusscannet" : undefined;
}

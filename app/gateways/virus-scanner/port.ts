/** Why a scanner has not looked into a file, at most fifteen letters each: the code stands in the file's row. */
export const scanGaps = [
  "noScanner",
  "unreadable",
  "tooLarge",
  "encrypted",
  "tooComplex",
  "noConnection",
  "noAnswer",
  "scannerError",
] as const;
export type ScanGap = (typeof scanGaps)[number];

/** A gap is shown beside the file, which is never called clean; an `infected` file is never served. */
export type ScanResult = "clean" | "infected" | ScanGap;

export type ScannerState = "notConfigured" | "answers" | "silent";

export interface VirusScanner {
  /** For readiness and the logs. */
  readonly name: string;
  /** In words, for the screen. */
  readonly label: string;
  /** @param path of a file the portal may read. A scanner that cannot answer says why; it does not throw. */
  scan(path: string): Promise<ScanResult>;
  /** For readiness: asks the scanner whether it is there. Does not throw. */
  state(): Promise<ScannerState>;
}

/** Why a file was not scanned; stored in its row, at most fifteen letters. */
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

/** Unscanned files are marked and never called clean; infected ones are never served. */
export type ScanResult = "clean" | "infected" | ScanGap;

export type ScannerState = "notConfigured" | "answers" | "silent";

export interface VirusScanner {
  readonly name: string;
  readonly label: string;
  /** @param path of a readable file. Does not throw; failures are a reason. */
  scan(path: string): Promise<ScanResult>;
  state(): Promise<ScannerState>;
}

/** `notScanned` is shown beside the file and never called clean; an `infected` file is never served. */
export type ScanResult = "clean" | "infected" | "notScanned";

export type ScannerState = "notConfigured" | "answers" | "silent";

export interface VirusScanner {
  /** For readiness and the logs. */
  readonly name: string;
  /** In words, for the screen. */
  readonly label: string;
  /** @param path of a file the portal may read. A scanner that cannot answer says `notScanned`; it does not throw. */
  scan(path: string): Promise<ScanResult>;
  /** For readiness: asks the scanner whether it is there. Does not throw. */
  state(): Promise<ScannerState>;
}

/** `notScanned` is said beside the file and never called clean; `infected` is never served (design/decisions.md, Files). */
export type ScanResult = "clean" | "infected" | "notScanned";

export interface VirusScanner {
  /** For readiness and the logs. */
  readonly name: string;
  /** @param path of a file the scanner may read. A scanner that cannot answer says `notScanned`; it does not throw. */
  scan(path: string): Promise<ScanResult>;
}

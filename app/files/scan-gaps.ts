import type { ScanGap } from "~/gateways/virus-scanner/port";

const scanGapTexts: Readonly<Record<ScanGap, string>> = {
  noScanner: "der er ingen virusscanner sat op",
  unreadable: "filen kunne ikke læses",
  tooLarge: "filen er større, end scanneren tager",
  encrypted: "filen er låst med en adgangskode",
  tooComplex: "filen har for meget i sig til, at scanneren kan nå det",
  noConnection: "scanneren kunne ikke nås",
  noAnswer: "scanneren svarede ikke i tide",
  scannerError: "scanneren meldte en fejl",
};

export interface ScanFacts {
  isScanned: boolean;
  scanGap: ScanGap | null;
}

/** Hides from others than staff that a file was not scanned: nobody else can change it. */
export function scanFactsOf(states: readonly string[], seesInternal: boolean): ScanFacts {
  const open = seesInternal ? states.find((state) => state !== "clean") : undefined;
  const isKnown = open !== undefined && open in scanGapTexts;
  return { isScanned: open === undefined, scanGap: isKnown ? (open as ScanGap) : null };
}

/** 'ikke virusscannet: filen er låst med en adgangskode' */
export const notScannedText = ({ scanGap }: Pick<ScanFacts, "scanGap">): string =>
  scanGap === null ? "ikke virusscannet" : `ikke virusscannet: ${scanGapTexts[scanGap]}`;

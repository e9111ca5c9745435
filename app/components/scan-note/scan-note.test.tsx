import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { notScannedText, type ScanFacts } from "~/files/scan-gaps";
import { scanGaps } from "~/gateways/virus-scanner/port";
import { ScanNote, scanNotesOf } from "./scan-note";

const clean: ScanFacts = { isScanned: true, scanGap: null };
const gap = (scanGap: ScanFacts["scanGap"]): ScanFacts => ({ isScanned: false, scanGap });
const noteOf = (...files: ScanFacts[]) => renderToStaticMarkup(<ScanNote files={files} />).replace(/<[^>]*>/g, "");

test("files that lack a scan for one reason say so once, in one sentence", () => {
  expect(noteOf(gap("noConnection"))).toBe("Filen er ikke virusscannet: scanneren kunne ikke nås.");
  expect(noteOf(gap("noScanner"), gap("noScanner"))).toBe(
    "Filerne er ikke virusscannet: der er ingen virusscanner sat op.",
  );
  expect(noteOf(gap(null))).toBe("Filen er ikke virusscannet.");
  expect(scanNotesOf([gap("noScanner"), gap("noScanner")])(gap("noScanner"))).toBeUndefined();
});

test("where some are scanned, or the reasons differ, each file has its own", () => {
  for (const others of [clean, gap("tooLarge")]) {
    const files = [gap("encrypted"), others];
    expect(noteOf(...files)).toBe("");
    expect(scanNotesOf(files)(files[0]!)).toBe("ikke virusscannet: filen er låst med en adgangskode");
  }
  expect(scanNotesOf([gap("encrypted"), clean])(clean)).toBeUndefined();
});

test("every cause has words, and fits the column that keeps it", () => {
  const texts = scanGaps.map((scanGap) => notScannedText({ scanGap }));
  expect(new Set(texts).size).toBe(scanGaps.length);
  for (const code of scanGaps) expect(code.length).toBeLessThanOrEqual(15);
});

test("the notes of thousands of files are found in one pass over them", () => {
  let read = 0;
  const files = Array.from({ length: 3000 }, (_, at): ScanFacts => ({
    get isScanned() {
      read += 1;
      return at === 2999;
    },
    scanGap: "noScanner",
  }));
  const scanNoteOf = scanNotesOf(files);
  expect(files.filter((file) => scanNoteOf(file) !== undefined)).toHaveLength(2999);
  expect(read).toBeLessThanOrEqual(2 * files.length);
});

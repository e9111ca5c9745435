import { expect, test } from "vitest";
import { legible, readPdfText } from "./pdf-text.server";

test("a PDF without a map from glyphs to letters has no text", async () => {
  expect(await readPdfText("tests/files/letter-pdf-without-tounicode.pdf")).toEqual({ text: "" });
});

test.each([
  ["Kære Åse.\n\nTanden 48 er fjernet, uden komplikationer. Ł – ½ €", true],
  ["• Kontrol om 7 dage\n• Ring 10 70 00 00", true],
  ["", true],
  ['\u0001\u0002\u0003 \u0004\u0005 !" #$', false],
  ["\ue001\ue002\ue003 \ue004", false],
  // Glyph numbers of a whole font: letters, with control characters where the blanks were.
  ["7DQGHQ\u0003HU\u0003IMHUQHW\u0003XGHQ\u0003NRPSOLNDWLRQHU", false],
])("%j is legible: %s", (text, isLegible) => {
  expect(legible(text)).toBe(isLegible ? text : "");
});

test("single signs are dropped from a readable text", () => {
  expect(legible("Tanden 48 er fjernet\u0007 uden \ue001komplikationer.")).toBe(
    "Tanden 48 er fjernet uden komplikationer.",
  );
});

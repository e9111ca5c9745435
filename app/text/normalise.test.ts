import { expect, test } from "vitest";
import { asciiFileName } from "~/files/file-name";
import { cleanLine, cleanText } from "./normalise";
import { plainSms } from "./sms-parts";

/** In an order that composing has to change: it takes a time that grows with the square of their number. */
const marks = (count: number) => "\u0301\u0323".repeat(count / 2);

test.each([
  ["a line", cleanLine],
  ["a text", cleanText],
  ["an SMS", plainSms],
  ["a file's name", asciiFileName],
])("of the marks on one letter %s keeps thirty, which are sorted at once", (_, read) => {
  const long = read(`a${marks(200_000)}b`);
  expect(long.length).toBeLessThanOrEqual(32);
  expect(long).toBe(read(`a${marks(30)}b`));
});

test("letters with as many marks as any language writes are kept as they are", () => {
  const word = "Ṩệ́ḅ".normalize("NFC");
  expect([cleanLine(word.normalize("NFD")), cleanText(word.normalize("NFD"))]).toEqual([word, word]);
});

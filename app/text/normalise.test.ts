// @module-tag node
import { expect, test } from "vitest";
import { asciiFileName } from "~/files/file-name";
import { cleanLine, cleanText } from "./normalise";
import { plainSms } from "./sms";

/** Marks in an order that composing must sort, which takes quadratic time. */
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

test.each([
  ["a header of a mail", "Åse\r\nBcc: anden@eksempel.dk", "Åse Bcc: anden@eksempel.dk"],
  ["a tab", "Åse\tKjær", "Åse Kjær"],
  ["a separator of lines or paragraphs", "Åse\u2028Kjær\u2029", "Åse Kjær"],
  ["what a terminal obeys", "Åse \u001b[31mKjær\u0007\u0085", "Åse  [31mKjær"],
  ["letters that show nothing", "\u3164\u115f\uffa0\u034f", ""],
  ["a variation of a sign", "❤\ufe0f", "❤"],
])("a line has no end within it and nothing unseen: %s", (_, typed, stored) => {
  expect(cleanLine(typed)).toBe(stored);
});

test("a text keeps its lines and tabs, and no other control character", () => {
  expect(cleanText("et\r\nto\ttre\n\u0000\u000b\u001b[31m\u0085fire")).toBe("et\nto\ttre\n[31mfire");
});

// @module-tag node
import { expect, test } from "vitest";
import { decodeText } from "./read-csv.server";

const TEXT = "CPR;Navn\r\n010190-1234;Åse Kjær Sørensen\r\n";
const utf16le = Buffer.from(TEXT, "utf16le");

test.each<[string, Buffer]>([
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-16, little-endian, without a mark", utf16le],
  ["UTF-16, big-endian, without a mark", Buffer.from(utf16le).swap16()],
  ["windows-1252", Buffer.from(TEXT, "latin1")],
  ["MacRoman", Buffer.from(TEXT.replace("Å", "\x81").replace("æ", "\xbe").replace("ø", "\xbf"), "latin1")],
])("reads %s", (_name, bytes) => {
  expect(decodeText(bytes)).toEqual({ text: TEXT });
});

test("a curved apostrophe of windows-1252 is no letter of MS-DOS", () => {
  expect(decodeText(Buffer.from("Kate O\x92Brien; M\xfcller", "latin1"))).toEqual({ text: "Kate O’Brien; Müller" });
});

test.each<[string, Buffer, string]>([
  ["MS-DOS", Buffer.from("Kj\x91r; S\x9brensen", "latin1"), "med en tegnkodning, som portalen ikke kender, fx MS-DOS"],
  ["no text", Buffer.from("PK\x03\x04\0\0\x08", "latin1"), "Filen er ikke en tekstfil"],
])("refuses %s in words", (_name, bytes, words) => {
  expect(decodeText(bytes)).toEqual({ error: expect.stringContaining(words) });
});

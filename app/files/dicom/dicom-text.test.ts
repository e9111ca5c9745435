import { expect, test } from "vitest";
import { lineOf, personName, textDecoder, westernName } from "./dicom-text.server";

const nameIn = (set: string | undefined, bytes: Buffer) => personName(lineOf(westernName(bytes), textDecoder(set)));
const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each<[string, string | undefined, Buffer, string]>([
  ["Latin 1 as it says", "ISO_IR 100", latin1("Bødker^Åse"), "Åse Bødker"],
  ["UTF-8 under Latin 1", "ISO_IR 100", Buffer.from("Bødker^Åse"), "Åse Bødker"],
  ["UTF-8 without a set", undefined, Buffer.from("Bødker^Åse"), "Åse Bødker"],
  ["letters that are taken apart", "ISO_IR 192", Buffer.from("Bødker^A\u030ase"), "Åse Bødker"],
  ["Greek as it says", "ISO_IR 126", Buffer.from([0xc4, 0x69]), "Δi"],
  [
    "ASCII before Japanese",
    "\\ISO 2022 IR 87",
    latin1("Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B"),
    "Tarou Yamada",
  ],
])("a name in %s is read", (_, set, bytes, name) => {
  expect(nameIn(set, bytes)).toBe(name);
});

test.each<[string, string | undefined, Buffer]>([
  ["Latin 1 under UTF-8", "ISO_IR 192", latin1("Bødker^Åse")],
  ["a code page of DOS", "ISO_IR 100", Buffer.from([0x42, 0x9b, 0x64, 0x6b, 0x65, 0x72])],
  ["half-width katakana", "ISO_IR 13", Buffer.from([0xd4, 0xcf, 0xc0, 0xde])],
  ["Japanese with escapes", "\\ISO 2022 IR 87", latin1("\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B")],
  ["Korean with escapes", "\\ISO 2022 IR 149", latin1("\x1b$)C\xfb\xf3^\x1b$)C\xd1\xce")],
])("a name in %s is unknown, not wrong letters", (_, set, bytes) => {
  expect(nameIn(set, bytes)).toBe("ukendt");
});

test("a name in a header loses the signs that nobody sees, and its blanks are plain", () => {
  expect(nameIn("ISO_IR 192", Buffer.from("B\u202e\u00adødker\u00a0Lund^A\u200b\u030ase"))).toBe("Åse Bødker Lund");
});

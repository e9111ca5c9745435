import fc from "fast-check";
import { expect, test } from "vitest";
import { extensionOf } from "./file-rules";
import { MAX_FILE_NAME_LENGTH, sanitiseFileName } from "./file-name";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);

test.each([
  ["Røntgen Åse Ærø 48.jpg", "Røntgen Åse Ærø 48.jpg"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Billeder\\OPG.jpg", "OPG.jpg"],
  ["foto.jpg/", "foto.jpg"],
  ["foto\u202Egpj.exe", "fotogpj.exe"],
  ["a\u0000b\u001f\u007f.pdf", "ab.pdf"],
  ["nul\u200Bbredde.pdf", "nulbredde.pdf"],
  ["O\u0308llgaard.pdf", "Öllgaard.pdf"],
  ["\ud800halv.png", "halv.png"],
  ["æ\u202e\u0301.png", "ǽ.png"],
  ['a<b>"c|d?e*.png', "a_b__c_d_e_.png"],
  ["  .. mellem   rum .jpg. ", "mellem rum .jpg"],
  [".htaccess", "htaccess"],
  ["CON.jpg", "_CON.jpg"],
  ["con", "_con"],
  ["console.jpg", "console.jpg"],
  ["", "fil"],
  ["...", "fil"],
  ["\u202E\u0000", "fil"],
  ["linje\r\nSet-Cookie: x.pdf", "linjeSet-Cookie_ x.pdf"],
])("%j becomes %j", (name, expected) => expect(sanitiseFileName(name)).toBe(expected));

test("truncates a long name and keeps its extension", () => {
  const name = sanitiseFileName(`${"å".repeat(300)}.docx`);
  expect([...name]).toHaveLength(MAX_FILE_NAME_LENGTH);
  expect(name).toMatch(/^å+\.docx$/);
});

test.each([
  ["dots", `${".".repeat(60_000)}a.jpg`],
  ["dots between letters", `a${".".repeat(60_000)}b`],
  ["blanks", `a${" ".repeat(60_000)}b.jpg`],
  ["empty folders", `a.jpg${"/ .".repeat(60_000)}`],
  ["accents in the wrong order", `a${"\u0315\u0316".repeat(60_000)}.jpg`],
])("a name of 60,000 %s is read in linear time", (_of, name) => {
  expect(sanitiseFileName(name).length).toBeLessThanOrEqual(120);
});

test("a name far too long keeps its beginning and its extension", () => {
  expect(sanitiseFileName(`mappe/OPG ${"\u0301".repeat(5000)}.jpg`)).toMatch(/^OPG .*\.jpg$/);
  expect([...sanitiseFileName(`${"\ud83e\udd37".repeat(5000)}.dcm`)]).toHaveLength(MAX_FILE_NAME_LENGTH);
});

test("makes any name safe, short and non-empty, and is idempotent", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc
      .array(
        fc.constantFrom("/", "\\", ".", " ", "\u202e", "\u0301", "con", "æ", "jpg", "\ud83e", "_", ":", "\u00a0"),
        { maxLength: 200 },
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(anything, (name) => {
      const safe = sanitiseFileName(name);
      expect(safe).not.toBe("");
      expect([...safe].length).toBeLessThanOrEqual(MAX_FILE_NAME_LENGTH);
      expect(safe).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cf}\p{Cs}]|^[\s.]|[\s.]$/u);
      expect(Buffer.from(safe, "utf8").toString("utf8")).toBe(safe);
      expect(sanitiseFileName(safe)).toBe(safe);
    }),
    { numRuns },
  );
});

test("the extension that decides is the visible one", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.constantFrom("jpg", "pdf", "dcm"), (stem, extension) => {
      expect(extensionOf(sanitiseFileName(`${stem}x.${extension}`))).toBe(extension);
    }),
    { numRuns },
  );
});

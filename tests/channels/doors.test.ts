import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReferralLetter } from "~/features/edi/reading/letter";
import { readCsv } from "~/files/read-csv.server";
import { requiredLine, requiredText } from "~/text/fields.server";
import { searchKey } from "~/text/names";
import { latin, letterOf, sample } from "../support/edi/read-samples";
import { oddName, oddText, type OddSign, read, typedOf } from "../support/odd-words";

const csvOf = (typed: string) => {
  const csv = readCsv(Buffer.from(`Navn;By\n"${typed}";Aarhus\n`), {
    columns: ["navn"],
    required: ["navn"],
    maxLines: 9,
    what: "navne",
  });
  return "rows" in csv ? csv.rows[0]!.values.navn : csv.error;
};

test("a name has the same letters from form and CSV, however it is typed", () => {
  fc.assert(
    fc.property(oddName, (signs) => {
      const typed = typedOf(signs);
      const line = read(signs, "line");
      expect(requiredLine("Skriv.", 200).parse(typed)).toBe(line);
      expect(csvOf(typed)).toBe(line);
      expect(searchKey(typed)).toBe(searchKey(line));
    }),
  );
});

test("free text from a form keeps its letters, signs and line ends", () => {
  fc.assert(
    fc.property(oddText, (signs) => {
      const text = requiredText("Skriv.", 4000).parse(typedOf(signs));
      expect(text.replace(/\r\n/g, "\n")).toBe(read(signs, "text"));
    }),
  );
});

/** EDIFACT is latin1, and line breaks separate components. */
const isInLatin1 = ({ typed }: OddSign) => /^[\u0020-\u007e\u00a0-\u00ff]*$/.test(typed);
const released = (text: string) => text.replace(/[?:+']/g, (sign) => `?${sign}`);
const fewBlanks = (text: string) => text.replace(/\s+/g, " ").trim();

test("a letter in EDIFACT gives the same letters, also its separators", () => {
  const inLatin1 = (arbitrary: fc.Arbitrary<OddSign[]>) => arbitrary.map((signs) => signs.filter(isInLatin1));
  const original = sample("REF06_1.edi").toString("latin1");
  expect(original).toMatch(/SU:[^+']*\+FO:[^']*'/);
  fc.assert(
    fc.property(inLatin1(oddName), inLatin1(oddText), (name, text) => {
      const letter = original
        .replace(/SU:[^+']*\+FO:[^']*'/, () => `SU:${released(typedOf(name))}+FO:${released(typedOf(name))}'`)
        .replace(/FTX\+NC\+P00\+\+/, (start) => `${start}${released(typedOf(text))}:`);
      const { patient, anamnesis } = letterOf<ReferralLetter>(latin(letter), "referral");
      expect(patient).toMatchObject({
        firstName: fewBlanks(read(name, "line")),
        lastName: fewBlanks(read(name, "line")),
      });
      expect(fewBlanks(anamnesis!.split("\n")[0]!)).toBe(fewBlanks(read(text, "text")));
    }),
  );
});

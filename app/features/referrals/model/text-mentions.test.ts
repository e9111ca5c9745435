import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import type { CaveMark } from "./cave";
import { standardMedicines } from "./critical-medicines";
import { mentionsIn } from "./text-mentions.server";

/** Lists of texts as dentists write them: a row added there is tested here. '\n' is a new line. */
const textsOf = (name: string) =>
  (
    parse(readFileSync(`tests/files/referral-texts/${name}.csv`, "utf8"), {
      delimiter: ";",
      columns: true,
      quote: null,
      relax_column_count: true,
    }) as Record<"Tekst" | "Nævner", string>[]
  ).map((row) => ({ ...row, Tekst: row.Tekst.replaceAll(String.raw`\n`, "\n") }));

const said = (text: string, marks: CaveMark[] = []) => mentionsIn([text], standardMedicines, marks);

test("at most ten of two hundred ordinary texts are marked", () => {
  const texts = textsOf("ordinary");
  expect(new Set(texts.map(({ Tekst }) => Tekst)).size).toBeGreaterThanOrEqual(200);
  const marked = texts.flatMap(({ Tekst }) => (said(Tekst).length > 0 ? [`${Tekst} → ${said(Tekst).join(", ")}`] : []));
  expect(marked.length, marked.join("\n")).toBeLessThanOrEqual((10 * texts.length) / 200);
});

test.each(textsOf("marked").map(({ Tekst, Nævner }) => [Tekst, Nævner] as const))(
  "“%s” mentions “%s”",
  (text, words) => {
    expect(said(text).join(", ")).toBe(words);
  },
);

const mark = (kind: CaveMark["kind"], text: string, from: number | null = null): CaveMark => ({ kind, text, from });

test.each([
  ["the same medicine", "Tager eliquis og Magnyl", [mark("medicine", "Eliquis 5 mg", 390)], ["Magnyl"]],
  ["the same substance", "Penicillinallergi, latexallergi", [mark("allergy", "penicillin")], ["latexallergi"]],
  [
    "an allergy to what the patient takes is said",
    "Får Magnyl. Allergisk over for Magnyl.",
    [mark("medicine", "Magnyl")],
    ["Allergisk over for Magnyl"],
  ],
  ["an allergy, for the bare word", "Har allergi", [mark("allergy", "Jod")], []],
  ["a medicine, for the bare word", "Har allergi", [mark("medicine", "Marevan")], ["allergi"]],
])("a mark takes the place of a mention: %s", (_, text, marks, expected) => {
  expect(said(text, marks)).toEqual(expected);
});

test("an empty list leaves allergies only, and texts are read one by one", () => {
  expect(mentionsIn(["Eliquis, jodallergi", null, "Ingen"], [], [])).toEqual(["jodallergi"]);
  expect(mentionsIn(["Ingen", "Eliquis"], standardMedicines, [])).toEqual(["Eliquis"]);
});

test("texts of a megabyte are searched within a second", () => {
  const hostile = [
    "a".repeat(1_000_000),
    "ingen, ".repeat(200_000),
    "xallergi ".repeat(100_000),
    "allergi : ".repeat(9999),
  ];
  for (const text of hostile) {
    const began = performance.now();
    expect(said(text).length).toBeLessThanOrEqual(30);
    expect(performance.now() - began).toBeLessThan(1000);
  }
});

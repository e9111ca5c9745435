import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { directoryCsv, readLines } from "~/features/directory-import/plan-import.server";
import { readCsv } from "~/files/read-csv.server";
import { appointmentCsv, rowOf } from "./appointment-csv.server";
import { importStatuses } from "./import-rules";
import { coveredDays, judgeLines } from "./judge-lines";

const FILES = path.resolve("tests/files/csv");
const CPR = "010190-1234";
const CODE = "OP-48";

/** A file whose `{CPR}` and `{KODE}` are replaced in its own encoding; both are six letters long. */
function contentOf(kind: "times" | "clinics", name: string): Buffer {
  const bytes = readFileSync(path.join(FILES, kind, name));
  const encoding = name.startsWith("utf-16") ? "utf16le" : "latin1";
  const isSwapped = name.startsWith("utf-16be");
  const text = (isSwapped ? Buffer.from(bytes).swap16() : bytes).toString(encoding);
  const filled = Buffer.from(text.replaceAll("{CPR}", CPR).replaceAll("{KODE}", CODE), encoding);
  return isSwapped ? filled.swap16() : filled;
}

const refused = (line: number, label: string, cause: string) => [line, label, expect.stringContaining(cause)];

const times: Record<string, string | unknown[]> = {
  "cancelled-on-another-day.csv": [
    [2, "Uændret"],
    [3, "Uændret"],
  ],
  "two-appointments-one-code.csv": [
    [2, "Tid importeret"],
    [3, "Uændret"],
  ],
  "utf-8.csv": [[2, "Uændret"]],
  "utf-8-with-mark.csv": [[2, "Uændret"]],
  "utf-16le-with-mark.csv": [[2, "Uændret"]],
  "utf-16be-with-mark.csv": [[2, "Uændret"]],
  "windows-1252.csv": [[2, "Uændret"]],
  "macroman.csv": [[2, "Uændret"]],
  "ms-dos.csv":
    "Filens bogstaver kan ikke læses: den er gemt med en tegnkodning, som portalen ikke kender, fx MS-DOS. Gem den som CSV UTF-8, og prøv igen.",
  "more-fields-than-the-head.csv": [
    [2, "Uændret"],
    refused(3, "Linjen kan ikke læses", "Linjen har 7 felter, men kolonnernes navne har 6 felter."),
  ],
  "fewer-fields-than-the-head.csv": [
    refused(2, "Linjen kan ikke læses", "Linjen har 5 felter, men kolonnernes navne har 6 felter."),
    [3, "Uændret"],
  ],
  "head-named-twice.csv": "Linje 1 nævner kolonnen Dato to gange. Giv hver kolonne sit eget navn, og prøv igen.",
  "quote-that-is-not-closed.csv": [
    refused(2, "Linjen kan ikke læses", "Citationstegnene på linjen passer ikke sammen"),
    [3, "Tid importeret"],
    [4, "Tid importeret"],
  ],
  "quotes-that-match.csv": [[2, "Uændret"]],
  "times-outside-the-hours.csv": [
    refused(2, "Ugyldig dato", "Kl. 06.59 ligger uden for klinikkens timer"),
    [3, "Tid opdateret"],
    [4, "Tid importeret"],
    refused(5, "Ugyldig dato", "Kl. 21.00 ligger uden for klinikkens timer"),
    refused(6, "Ugyldig dato", "Skriv tiden som tt:mm."),
    refused(7, "Ugyldig dato", "Skriv tiden som tt:mm."),
  ],
  "hour-that-is-skipped.csv": [
    refused(2, "Ugyldig dato", "Kl. 02.30 findes ikke den 28.03.2027, hvor uret stilles en time frem."),
    [3, "Tid importeret"],
  ],
  "numbers-of-a-spreadsheet.csv": [
    refused(2, "Ugyldigt CPR", "CPR: Et regneark har forkortet tallet til 1,01E+09."),
    refused(3, "Ugyldigt CPR", "CPR: Cellen ligner en formel."),
    refused(4, "Ugyldig dato", "Dato: Et regneark har forkortet tallet til 4,6E+04."),
  ],
  "signs-nobody-sees.csv": [[2, "Uændret"]],
  "the-same-line-twice.csv": [
    [2, "Uændret"],
    [3, "Uændret", "Samme tid som linje 2."],
  ],
  "empty-lines.csv": [[3, "Uændret"]],
  "only-the-head.csv": "Filen har ingen aftaletider.",
};

test("every file of times has an expected outcome", () => {
  expect(readdirSync(path.join(FILES, "times")).sort()).toEqual(Object.keys(times).sort());
});

test.each(Object.entries(times))("times: %s", (name, expected) => {
  const csv = readCsv(contentOf("times", name), appointmentCsv);
  if ("error" in csv) return expect(csv.error).toBe(expected);
  const rows = csv.rows.map(rowOf);
  const line = { id: 1, date: "2026-12-17", time: "08:30", durationMinutes: 30, code: CODE, isCancelled: false };
  const decided = judgeLines(
    rows,
    {
      referralsOf: (cpr) => (cpr === CPR ? [{ referralId: 3, firstName: "", lastName: "", lines: [line] }] : []),
      knowsCode: (code) => code === CODE,
      surgeonsNamed: () => [],
      closedReferralOf: () => null,
      today: "2026-12-01",
    },
    coveredDays(rows),
  );
  expect(
    rows.map((row) => {
      const { status, note } = decided.get(row)!;
      return [row.line, importStatuses[status]!.label, note ?? []].flat();
    }),
  ).toEqual(expected);
  // The letters are decoded correctly in every encoding.
  const [first] = rows;
  if (Array.isArray(expected) && first!.refusal === null)
    expect(["", "Åse Kjær", "Åse Kjær Sørensen", 'Åse "Smil" Kjær; tandlæge']).toContain(first!.name);
});

const good = { name: "Smilehuset", address: "Åvej 1", phone: "86 12 34 56" };
const wrong = (column: string, cause: string) => ({ errors: [{ column, text: expect.stringContaining(cause) }] });

const clinics: Record<string, string | unknown[]> = {
  "good.csv": [[2, good]],
  "more-fields-than-the-head.csv": [[2, wrong("", "Linjen har 7 felter, men kolonnernes navne har 6 felter.")]],
  "head-named-twice.csv": "Linje 1 nævner kolonnen Telefon to gange. Giv hver kolonne sit eget navn, og prøv igen.",
  "quote-that-is-not-closed.csv": [
    [2, wrong("", "Citationstegnene på linjen passer ikke sammen")],
    [3, { ...good, name: "Tandhuset" }],
  ],
  "number-of-a-spreadsheet.csv": [[2, wrong("Telefon", "Et regneark har forkortet tallet til 7E+07.")]],
  "signs-nobody-sees.csv": [[2, good]],
};

test("every file of clinics has an expected outcome", () => {
  expect(readdirSync(path.join(FILES, "clinics")).sort()).toEqual(Object.keys(clinics).sort());
});

test.each(Object.entries(clinics))("clinics: %s", (name, expected) => {
  const csv = readCsv(contentOf("clinics", name), directoryCsv("klinikker"));
  if ("error" in csv) return expect(csv.error).toBe(expected);
  expect(readLines("klinikker", csv.rows).map(({ line, value, errors }) => [line, value ?? { errors }])).toEqual(
    (expected as [number, object][]).map(([line, what]) => [line, expect.objectContaining(what)]),
  );
});

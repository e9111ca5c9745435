import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsv } from "~/files/read-csv.server";
import { appointmentCsv, rowOf } from "./appointment-csv.server";

const read = (bytes: Buffer) => {
  const csv = readCsv(bytes, appointmentCsv);
  return "error" in csv ? csv : { rows: csv.rows.map(rowOf) };
};

const head = "CPR;Navn;Mobil;E-mail;Dato;Tid;Varighed;Kode;Behandler;Status";

describe("the file", () => {
  test("is read with columns in any order, either separator, spreadsheets' encodings", () => {
    const rows = (bytes: Buffer) => {
      const parsed = read(bytes);
      return "rows" in parsed ? parsed.rows : parsed.error;
    };
    const one = {
      cpr: "010190-1234",
      name: "Åse Ærø",
      date: "2026-12-02",
      time: "08:30",
      durationMinutes: 45,
      code: "OP-48",
      isCancelled: false,
    };
    expect(rows(Buffer.from(`\uFEFF${head}\r\n10190-1234;Åse Ærø;;;02.12.2026;8.30;45;OP-48;;\r\n`))).toEqual([
      expect.objectContaining({ ...one, line: 2 }),
    ]);
    expect(
      rows(
        Buffer.from("sep=,\nKode,Tid,Dato,CPR,Navn,Varighed\nOP-48,08:30,2026-12-02,101901234,Åse Ærø,45\n", "latin1"),
      ),
    ).toEqual([expect.objectContaining({ ...one, line: 3 })]);
    expect(rows(Buffer.from(`${head}\nx;;;;31.02.2026;25:00;;OP;;Aflyst`))).toEqual([
      expect.objectContaining({ cpr: null, cprText: "x", date: null, time: null, isCancelled: true }),
    ]);
  });

  test.each([
    ["", "Filen er tom."],
    [head, "Filen har ingen aftaletider."],
    ["Navn;Dato\nA;B", "Filen mangler kolonnerne CPR, Tid, Kode. Første linje skal være kolonnernes navne."],
  ])("refuses %j as a whole with a text", (text, error) => {
    expect(read(Buffer.from(text))).toEqual({ error });
  });

  test("lines, cells and columns beyond their limits are refused, the others read", () => {
    const refusalsOf = (...lines: string[]) => {
      const parsed = read(Buffer.from(["CPR;Dato;Tid;Kode;Navn", ...lines].join("\n")));
      return "rows" in parsed ? parsed.rows.map(({ line, refusal }) => [line, refusal?.text ?? null]) : parsed.error;
    };
    const good = "010190-1234;02.12.2026;08:30;OP;Åse";
    expect(
      refusalsOf(good, `${good}${"e".repeat(2000)}`, `${good}${"e".repeat(20_000)}`, ";".repeat(900_000), good),
    ).toEqual([
      [2, null],
      [3, "Navn: Cellen er længere end 2.000 tegn."],
      [4, "Linjen er længere end 20.000 tegn."],
      [5, "Linjen er længere end 20.000 tegn."],
      [6, null],
    ]);
    expect(read(Buffer.from(`${"a;".repeat(201)}\n${good}`))).toEqual({
      error: "Linje 1, som er kolonnernes navne, har for mange kolonner: højst 200.",
    });
  });

  test("answers rows or an error text for any bytes", () => {
    const runs = Number(process.env.FUZZ_RUNS ?? 200);
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ maxLength: 300 }).map((text) => Buffer.from(`${head}\n${text}`)),
    );
    fc.assert(
      fc.property(anything, (bytes) => {
        const parsed = read(Buffer.from(bytes));
        if ("error" in parsed) expect(parsed.error).toMatch(/\.$/);
        else for (const row of parsed.rows) expect(row.date === null || /^\d{4}-\d\d-\d\d$/.test(row.date)).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});

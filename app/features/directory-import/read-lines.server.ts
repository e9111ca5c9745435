import { z } from "zod";
import { clinicForm } from "~/features/clinics/clinic.schema.server";
import { account, ediDentistId, ofReferrer } from "~/features/people/user.schema.server";
import type { CsvLimits, CsvLine } from "~/files/csv-job";
import { type ImportKind, importKinds, MAX_ROWS } from "./import-columns";

const yesOrNo = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["ja", "x", "1", "nej", "0", ""], "Skriv ja eller nej."))
  .transform((typed) => ["ja", "x", "1"].includes(typed));

const { isSurgeon: _ofStaff, ...names } = account;

/** The same rules as for values typed by hand. */
const schemas = {
  klinikker: z.object(clinicForm),
  henvisere: z.object({ ...names, ...ofReferrer, ediDentistId, isSecretary: yesOrNo, clinicId: z.string() }),
};

export type ClinicLine = z.output<(typeof schemas)["klinikker"]>;
export type UserLine = Omit<z.output<(typeof schemas)["henvisere"]>, "clinicId"> & { clinicName: string };

export interface LineError {
  column: string;
  text: string;
}

export interface ReadLine<V> {
  line: number;
  name: string;
  value: V | null;
  errors: LineError[];
}

export function directoryCsv(kind: ImportKind): CsvLimits {
  const { columns, required, label } = importKinds[kind];
  return {
    columns: columns.map(([title]) => title.toLowerCase()),
    required: required.map((title) => title.toLowerCase()),
    maxLines: MAX_ROWS,
    what: label.toLowerCase(),
  };
}

/** Parses an import file; each line has its values or errors. */
export const readLines = (kind: ImportKind, rows: readonly CsvLine[]): ReadLine<ClinicLine | UserLine>[] =>
  rows.map((line) => readLine(kind, importKinds[kind].columns, line));

function readLine(
  kind: ImportKind,
  columns: readonly (readonly [string, string])[],
  { line, values, refusals }: CsvLine,
): ReadLine<ClinicLine | UserLine> {
  const cells = columns.map(([title, field]) => ({ title, field, cell: values[title.toLowerCase()] ?? "" }));
  const typed = Object.fromEntries(cells.map(({ field, cell }) => [field, cell]));
  const name = kind === "klinikker" ? typed.name! : `${typed.firstName} ${typed.lastName}`.trim();
  const wrong = (errors: LineError[]) => ({ line, name, value: null, errors });
  if (refusals.length > 0)
    return wrong(
      refusals.map(({ column, text }) => ({
        column: columns.find(([title]) => title.toLowerCase() === column)?.[0] ?? "",
        text,
      })),
    );
  const parsed = schemas[kind].safeParse(typed);
  if (!parsed.success)
    return wrong(
      parsed.error.issues.map(({ path: [field], message }) => ({
        column: columns.find((column) => column[1] === field)?.[0] ?? "",
        text: message,
      })),
    );
  if (!("clinicId" in parsed.data)) return { line, name, value: parsed.data, errors: [] };
  const { clinicId: clinicName, ...user } = parsed.data;
  return { line, name, value: { ...user, clinicName }, errors: [] };
}

import type { DbOrTx } from "~db/connection.server";
import { MAX_ACTIVE_CLINICS, tooManyClinics } from "~/features/directory/operations.server";
import { countActiveClinics } from "~/features/directory/store.server";
import { ACTIVE } from "~/features/directory/activity";
import { searchKey, sortKey } from "~/text/names";
import { type ImportKind, importKinds, MAX_ROWS, type PlannedLine } from "./import-columns";
import { findAccountsNamed, findClinicsNamed } from "./store.server";
import { emailKey } from "~/text/fields.server";
import { z } from "zod";
import { clinicForm } from "~/features/clinics/operations.server";
import { accountFields, newEdiDentistId, ofReferrer } from "~/features/people/user.schema.server";
import type { CsvLimits, CsvLine } from "~/files/csv-job";

/** A line and its planned effect; its values are kept, so the file is not needed. */
export type KeptLine = PlannedLine & (KeptClinic | KeptUser);

interface KeptClinic {
  kind: "klinikker";
  value: ClinicLine | null;
}

interface KeptUser {
  kind: "henvisere";
  value: UserLine | null;
  clinicId: number | null;
}

type Judgement = Pick<PlannedLine, "outcome" | "errors">;

const judgedWrong = (...errors: LineError[]): Judgement => ({ outcome: "wrong", errors });
const right = (outcome: "new" | "there"): Judgement => ({ outcome, errors: [] });

/**
 * Decides the lines against the portal's present state. The dry run stores the result; the import decides again and
 * carries out unchanged lines.
 */
export function judgeLines(
  db: DbOrTx,
  kind: ImportKind,
  lines: readonly ReadLine<ClinicLine | UserLine>[],
): Promise<KeptLine[]> {
  return kind === "klinikker"
    ? judgeClinics(db, lines as readonly ReadLine<ClinicLine>[])
    : judgeUsers(db, lines as readonly ReadLine<UserLine>[]);
}

async function judgeClinics(db: DbOrTx, lines: readonly ReadLine<ClinicLine>[]): Promise<KeptLine[]> {
  const keyOf = ({ name, zip }: { name: string; zip: string }) => `${sortKey(name)} ${zip}`;
  const known = await findClinicsNamed(
    db,
    keysOf(lines, ({ name }) => sortKey(name)),
  );
  const there = new Set(known.map(keyOf));
  const before = new Map<string, number>();
  let room = MAX_ACTIVE_CLINICS - (await countActiveClinics(db));
  return lines.map(({ line, name, value, errors }) => {
    const judge = (): Judgement => {
      if (!value) return judgedWrong(...errors);
      const again = twice(before, keyOf(value), line, "Titel");
      if (again) return judgedWrong(again);
      if (there.has(keyOf(value))) return right("there");
      room -= 1;
      return room < 0 ? judgedWrong({ column: "Titel", text: tooManyClinics }) : right("new");
    };
    return { kind: "klinikker", line, name, value, isShownAgain: false, ...judge() };
  });
}

async function judgeUsers(db: DbOrTx, lines: readonly ReadLine<UserLine>[]): Promise<KeptLine[]> {
  const accounts = new Map(
    (
      await findAccountsNamed(
        db,
        keysOf(lines, ({ userName }) => userName),
      )
    ).map((row) => [row.userNameNorm, row]),
  );
  const named = (
    await findClinicsNamed(
      db,
      keysOf(lines, ({ clinicName }) => sortKey(clinicName)),
    )
  ).filter(({ status }) => status === ACTIVE);
  const before = new Map<string, number>();
  return lines.map(({ line, name, value, errors }) => {
    const clinics = value ? named.filter((clinic) => clinic.nameSort === sortKey(value.clinicName)) : [];
    const judge = (): Judgement => {
      if (!value) return judgedWrong(...errors);
      const again = twice(before, searchKey(value.userName), line, "Brugernavn");
      if (again) return judgedWrong(again);
      const account = accounts.get(searchKey(value.userName));
      if (account && emailKey(account.email) === emailKey(value.email)) return right("there");
      if (account) return judgedWrong({ column: "Brugernavn", text: "Brugernavn allerede taget." });
      return clinics.length === 1 ? right("new") : judgedWrong(clinicError(value.clinicName, clinics.length));
    };
    const clinicId = clinics.length === 1 ? clinics[0]!.id : null;
    return { kind: "henvisere", line, name, value, clinicId, isShownAgain: false, ...judge() };
  });
}

const keysOf = <V>(lines: readonly { value: V | null }[], keyOf: (value: V) => string): string[] => [
  ...new Set(lines.flatMap(({ value }) => (value ? [keyOf(value)] : []))),
];

function twice(before: Map<string, number>, key: string, line: number, column: string): LineError | null {
  const first = before.get(key);
  if (first !== undefined) return { column, text: `Står også på linje ${first}.` };
  before.set(key, line);
  return null;
}

function clinicError(name: string, count: number): LineError {
  if (name === "") return { column: "Klinik", text: "Skriv klinikkens titel." };
  return {
    column: "Klinik",
    text:
      count === 0
        ? `Der er ingen aktiv klinik, der hedder »${name}«. Importér eller opret den først.`
        : `Der er ${count} aktive klinikker, der hedder »${name}«. Opret henviseren i hånden.`,
  };
}

const yesOrNo = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["ja", "x", "1", "nej", "0", ""], "Skriv ja eller nej."))
  .transform((typed) => ["ja", "x", "1"].includes(typed));

const { isSurgeon: _ofStaff, ...names } = accountFields;

const schemas = {
  klinikker: z.object(clinicForm),
  henvisere: z.object({
    ...names,
    ...ofReferrer,
    ediDentistId: newEdiDentistId,
    isSecretary: yesOrNo,
    clinicId: z.string(),
  }),
};

type ClinicLine = z.output<(typeof schemas)["klinikker"]>;
type UserLine = Omit<z.output<(typeof schemas)["henvisere"]>, "clinicId"> & { clinicName: string };

interface LineError {
  column: string;
  text: string;
}

interface ReadLine<V> {
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

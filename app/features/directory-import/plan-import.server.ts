import { createHash } from "node:crypto";
import type { DbOrTx } from "~db/connection.server";
import { ACTIVE } from "~/features/directory/activity";
import { searchKey, sortKey } from "~/text/names";
import type { ImportKind, PlannedLine } from "./import-columns";
import { findAccountsNamed, findClinicsNamed } from "./import-store.server";
import { type ClinicLine, type LineError, readLines, type UserLine } from "./read-lines.server";

export interface Plan {
  lines: PlannedLine[];
  clinics: ClinicLine[];
  users: (UserLine & { clinicId: number })[];
  /** Of what the plan would do: another one does something else. */
  digest: string;
}

/** What a file would do to the portal as it is now. The dry run shows it and the import does it. */
export async function planImport(db: DbOrTx, kind: ImportKind, bytes: Buffer): Promise<Plan | { error: string }> {
  const plan = kind === "klinikker" ? await planClinics(db, bytes) : await planUsers(db, bytes);
  if ("error" in plan) return plan;
  const outcomes = JSON.stringify(plan.lines.map(({ line, outcome }) => [line, outcome]));
  return { ...plan, digest: createHash("sha256").update(outcomes).digest("hex") };
}

type Undigested = Omit<Plan, "digest"> | { error: string };

async function planClinics(db: DbOrTx, bytes: Buffer): Promise<Undigested> {
  const read = readLines("klinikker", bytes);
  if ("error" in read) return read;
  const keyOf = ({ name, zip }: { name: string; zip: string }) => `${sortKey(name)} ${zip}`;
  const known = await findClinicsNamed(
    db,
    keysOf(read, ({ name }) => sortKey(name)),
  );
  const there = new Set(known.map(keyOf));
  const before = new Map<string, number>();
  const clinics: ClinicLine[] = [];
  const lines = read.map(({ line, name, value, errors }) => {
    if (!value) return planned(line, name, errors);
    const again = twice(before, keyOf(value), line, "Titel");
    if (again) return planned(line, name, [again]);
    if (there.has(keyOf(value))) return planned(line, name, [], "there");
    clinics.push(value);
    return planned(line, name, [], "new");
  });
  return { lines, clinics, users: [] };
}

async function planUsers(db: DbOrTx, bytes: Buffer): Promise<Undigested> {
  const read = readLines("henvisere", bytes);
  if ("error" in read) return read;
  const accounts = new Map(
    (
      await findAccountsNamed(
        db,
        keysOf(read, ({ userName }) => userName),
      )
    ).map((row) => [row.user_name_norm, row]),
  );
  const named = (
    await findClinicsNamed(
      db,
      keysOf(read, ({ clinicName }) => sortKey(clinicName)),
    )
  ).filter(({ status }) => status === ACTIVE);
  const before = new Map<string, number>();
  const users: Plan["users"] = [];
  const lines = read.map(({ line, name, value, errors }) => {
    if (!value) return planned(line, name, errors);
    const again = twice(before, searchKey(value.userName), line, "Brugernavn");
    if (again) return planned(line, name, [again]);
    const account = accounts.get(searchKey(value.userName));
    if (account?.email.toLowerCase() === value.email.toLowerCase()) return planned(line, name, [], "there");
    if (account) return planned(line, name, [{ column: "Brugernavn", text: "Brugernavn allerede taget." }]);
    const clinics = named.filter((clinic) => clinic.name_sort === sortKey(value.clinicName));
    if (clinics.length !== 1) return planned(line, name, [clinicError(value.clinicName, clinics.length)]);
    users.push({ ...value, clinicId: clinics[0]!.id });
    return planned(line, name, [], "new");
  });
  return { lines, clinics: [], users };
}

const planned = (
  line: number,
  name: string,
  errors: LineError[],
  outcome: PlannedLine["outcome"] = "wrong",
): PlannedLine => ({ line, name, outcome, errors });

const keysOf = <V>(read: { value: V | null }[], keyOf: (value: V) => string): string[] => [
  ...new Set(read.flatMap(({ value }) => (value ? [keyOf(value)] : []))),
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
        ? `Der er ingen aktiv klinik, der hedder “${name}”. Importér eller opret den først.`
        : `Der er ${count} aktive klinikker, der hedder “${name}”. Opret henviseren i hånden.`,
  };
}

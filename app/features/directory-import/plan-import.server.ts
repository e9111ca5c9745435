import type { DbOrTx } from "~db/connection.server";
import { ACTIVE } from "~/features/directory/activity";
import { searchKey, sortKey } from "~/text/names";
import type { ImportKind, PlannedLine } from "./import-columns";
import { findAccountsNamed, findClinicsNamed } from "./store.server";
import type { ClinicLine, LineError, ReadLine, UserLine } from "./read-lines.server";
import { emailKey } from "~/text/email.server";

/** A line and its planned effect; its values are kept, so the file is not needed. */
export type KeptLine = PlannedLine & (KeptClinic | KeptUser);

interface KeptClinic {
  kind: "klinikker";
  value: ClinicLine | null;
}

interface KeptUser {
  kind: "henvisere";
  value: UserLine | null;
  /** Null when the clinic's name is wrong. */
  clinicId: number | null;
}

type Judgement = Pick<PlannedLine, "outcome" | "errors">;

const wrong = (...errors: LineError[]): Judgement => ({ outcome: "wrong", errors });
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
  return lines.map(({ line, name, value, errors }) => {
    const judge = (): Judgement => {
      if (!value) return wrong(...errors);
      const again = twice(before, keyOf(value), line, "Titel");
      if (again) return wrong(again);
      return right(there.has(keyOf(value)) ? "there" : "new");
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
    ).map((row) => [row.user_name_norm, row]),
  );
  const named = (
    await findClinicsNamed(
      db,
      keysOf(lines, ({ clinicName }) => sortKey(clinicName)),
    )
  ).filter(({ status }) => status === ACTIVE);
  const before = new Map<string, number>();
  return lines.map(({ line, name, value, errors }) => {
    const clinics = value ? named.filter((clinic) => clinic.name_sort === sortKey(value.clinicName)) : [];
    const judge = (): Judgement => {
      if (!value) return wrong(...errors);
      const again = twice(before, searchKey(value.userName), line, "Brugernavn");
      if (again) return wrong(again);
      const account = accounts.get(searchKey(value.userName));
      if (account && emailKey(account.email) === emailKey(value.email)) return right("there");
      if (account) return wrong({ column: "Brugernavn", text: "Brugernavn allerede taget." });
      return clinics.length === 1 ? right("new") : wrong(clinicError(value.clinicName, clinics.length));
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
        ? `Der er ingen aktiv klinik, der hedder “${name}”. Importér eller opret den først.`
        : `Der er ${count} aktive klinikker, der hedder “${name}”. Opret henviseren i hånden.`,
  };
}

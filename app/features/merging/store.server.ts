import { type DbOrTx, type Tx, rowCount, orNone } from "~db/connection.server";
import { databaseName } from "~db/names.server";
import { rewriteUserTokens } from "~/features/accounts/store.server";
import { rewriteClinicTokens } from "~/features/directory/store.server";
import { toMoment } from "~/text/dates";
import { searchKey, sortKey } from "~/text/names";
import { chosenColumns, type Likeness } from "./merge-words";
import type { MergeKind } from "./merged-columns";
import type { SelectQueryBuilder } from "kysely";
import type { Database } from "~db/schema";
import { DRAFT } from "~/access/scope.server";

/**
 * The values of the winner that a merge may change. They are stored, so columns have the database's names and
 * flags are 0 or 1.
 */
export type WinnerValues = Record<string, string | number | null>;

export async function findWinnerValues(tx: Tx, kind: MergeKind, id: number): Promise<WinnerValues> {
  const row = await tx
    .selectFrom(kind)
    .select(chosenColumns[kind] as unknown as ["email"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const values = Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, string | number | boolean | null]) => [
      databaseName(column),
      typeof value === "boolean" ? Number(value) : value,
    ]),
  );
  if (kind === "clinic") return values;
  const roles = await tx.selectFrom("userRole").select("role").where("userId", "=", id).orderBy("role").execute();
  return { ...values, roles: roles.map(({ role }) => role).join() };
}

export async function restoreWinner(tx: Tx, kind: MergeKind, id: number, values: WinnerValues, now: Date) {
  const { roles, ...columns } = values;
  await tx
    .updateTable(kind)
    .set((eb) => ({ ...columns, modifiedAt: toMoment(now), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
  if (kind === "user" && roles !== undefined) {
    await tx.deleteFrom("userRole").where("userId", "=", id).execute();
    const each = String(roles).split(",");
    await tx
      .insertInto("userRole")
      .values(each.map((role) => ({ userId: id, role })))
      .execute();
  }
  const name = await nameOf(tx, kind, id);
  await tx
    .updateTable(kind)
    .set({ nameSort: sortKey(name), nameNorm: searchKey(name) })
    .where("id", "=", id)
    .execute();
  await (kind === "user" ? rewriteUserTokens(tx, id) : rewriteClinicTokens(tx, id));
}

async function nameOf(tx: Tx, kind: MergeKind, id: number): Promise<string> {
  if (kind === "clinic")
    return (await tx.selectFrom("clinic").select("name").where("id", "=", id).executeTakeFirstOrThrow()).name;
  const user = await tx
    .selectFrom("user")
    .select(["firstName", "lastName"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return `${user.firstName} ${user.lastName}`;
}

export const MAX_COUNTED = 10_000;

export async function countMoving(db: DbOrTx, kind: MergeKind, id: number) {
  const of = (column: "referrerId" | "creatorId" | "clinicId") =>
    db.selectFrom("referral").where(`referral.${column}`, "=", id).where("referral.deletedAt", "is", null);
  const referrals = of(kind === "user" ? "referrerId" : "clinicId").where("referral.status", ">", DRAFT);
  const drafts = of(kind === "user" ? "creatorId" : "clinicId").where("referral.status", "=", DRAFT);
  const messages =
    kind === "user"
      ? db.selectFrom("message").where("message.authorId", "=", id)
      : of("clinicId").innerJoin("message", "message.referralId", "referral.id");
  const letters = referrals
    .where("referral.hasDischargeLetter", "=", true)
    .innerJoin("dischargeLetter", "dischargeLetter.referralId", "referral.id")
    .where("dischargeLetter.deletedAt", "is", null);
  return {
    referrals: await countUpTo(db, referrals),
    drafts: await countUpTo(db, drafts),
    messages: await countUpTo(db, messages),
    letters: await countUpTo(db, letters),
  };
}

async function countUpTo(db: DbOrTx, rows: SelectQueryBuilder<any, any, object>): Promise<number> {
  const some = (rows as SelectQueryBuilder<Database, "referral", object>)
    .select((eb) => eb.lit(1).as("one"))
    .limit(MAX_COUNTED);
  return rowCount(db.selectFrom(some.as("some")));
}

const MAX_SUGGESTIONS = 5;

interface Duplicate {
  id: number;
  knownAs: string;
  why: Likeness;
}

/** Active users who are likely the same person: not staff and sharing a clinic; none for a merged one. */
export async function findDuplicateUsers(db: DbOrTx, id: number, staffRoles: string[]): Promise<Duplicate[]> {
  const own = await db
    .selectFrom("user")
    .select(["emailKey", "dentistExternalId", "nameSort", "mergedIntoId"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!own || own.mergedIntoId !== null) return [];
  const clinics = db.selectFrom("userClinic").select("clinicId").where("userId", "=", id);
  const others = db
    .selectFrom("user")
    .select(["id", "userName as knownAs"])
    .where("id", "!=", id)
    .where("status", "=", 1)
    .where("id", "not in", (eb) => eb.selectFrom("userRole").select("userId").where("role", "in", staffRoles))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("userClinic")
          .select("userClinic.clinicId")
          .whereRef("userClinic.userId", "=", "user.id")
          .where("userClinic.clinicId", "in", clinics),
      ),
    )
    .orderBy("id")
    .limit(MAX_SUGGESTIONS);
  return joined({
    email: await others.where("emailKey", "=", own.emailKey).execute(),
    dentistId:
      own.dentistExternalId === null
        ? []
        : await others.where("dentistExternalId", "=", own.dentistExternalId).execute(),
    name: await others.where("nameSort", "=", own.nameSort).execute(),
  });
}

export async function findDuplicateClinics(db: DbOrTx, id: number): Promise<Duplicate[]> {
  const own = await db
    .selectFrom("clinic")
    .select(["emailKey", "nameSort", "zip", "mergedIntoId"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!own || own.mergedIntoId !== null) return [];
  const others = db
    .selectFrom("clinic")
    .select(["id", "name as knownAs"])
    .where("id", "!=", id)
    .where("status", "=", 1)
    .orderBy("id")
    .limit(MAX_SUGGESTIONS);
  return joined({
    email: await others.where("emailKey", "=", own.emailKey).execute(),
    dentistId: [],
    name: await others.where("nameSort", "=", own.nameSort).where("zip", "=", own.zip).execute(),
  });
}

function joined(found: Record<Likeness, { id: number; knownAs: string }[]>): Duplicate[] {
  const all = (["dentistId", "email", "name"] as const).flatMap((why) =>
    found[why].map((other) => ({ ...other, why })),
  );
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index).slice(0, MAX_SUGGESTIONS);
}

export function findRunsOf(db: DbOrTx, kind: MergeKind, id: number) {
  const lost = db.selectFrom("mergeLoser").select("runId").where("loserId", "=", id);
  return db
    .selectFrom("mergeRun")
    .select(["id", "winnerId", "state", "at", "undoneAt"])
    .where("kind", "=", kind)
    .where((eb) => eb.or([eb("winnerId", "=", id), eb("id", "in", lost)]))
    .orderBy("id", "desc")
    .limit(20)
    .execute();
}

export const findLosersOf = (db: DbOrTx, runIds: number[]) =>
  db
    .selectFrom("mergeLoser")
    .select(["runId", "loserId"])
    .where("runId", "in", orNone(runIds))
    .orderBy("loserId")
    .execute();

export const findLeft = (db: DbOrTx, runIds: number[]) =>
  db
    .selectFrom("mergeMoved")
    .select(["runId", "place", "rowId"])
    .where("runId", "in", orNone(runIds))
    .where("outcome", "=", "left")
    .orderBy("runId")
    .orderBy("place")
    .orderBy("rowId")
    .limit(1000)
    .execute();

export async function findKnownAs(db: DbOrTx, kind: MergeKind, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows =
    kind === "user"
      ? await db.selectFrom("user").select(["id", "userName as name"]).where("id", "in", ids).execute()
      : await db.selectFrom("clinic").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

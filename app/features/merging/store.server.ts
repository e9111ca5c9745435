import { type DbOrTx, type Tx, rowCount, orNone } from "~db/connection.server";
import { rewriteUserTokens } from "~/features/accounts/store.server";
import { rewriteClinicTokens } from "~/features/directory/store.server";
import { toMoment } from "~/text/dates";
import { searchKey, sortKey } from "~/text/names";
import { chosenColumns, type Likeness } from "./merge-words";
import type { MergeKind } from "./merged-columns";
import type { SelectQueryBuilder } from "kysely";
import type { Database } from "~db/schema";
import { DRAFT } from "~/access/scope.server";

export type WinnerValues = Record<string, string | number | null>;

export async function findWinnerValues(tx: Tx, kind: MergeKind, id: number): Promise<WinnerValues> {
  const row = await tx
    .selectFrom(kind)
    .select(chosenColumns[kind] as unknown as ["email"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (kind === "clinic") return row;
  const roles = await tx.selectFrom("user_role").select("role").where("user_id", "=", id).orderBy("role").execute();
  return { ...row, roles: roles.map(({ role }) => role).join() };
}

export async function restoreWinner(tx: Tx, kind: MergeKind, id: number, values: WinnerValues, now: Date) {
  const { roles, ...columns } = values;
  await tx
    .updateTable(kind)
    .set((eb) => ({ ...columns, modified_at: toMoment(now), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
  if (kind === "user" && roles !== undefined) {
    await tx.deleteFrom("user_role").where("user_id", "=", id).execute();
    const each = String(roles).split(",");
    await tx
      .insertInto("user_role")
      .values(each.map((role) => ({ user_id: id, role })))
      .execute();
  }
  const name = await nameOf(tx, kind, id);
  await tx
    .updateTable(kind)
    .set({ name_sort: sortKey(name), name_norm: searchKey(name) })
    .where("id", "=", id)
    .execute();
  await (kind === "user" ? rewriteUserTokens(tx, id) : rewriteClinicTokens(tx, id));
}

async function nameOf(tx: Tx, kind: MergeKind, id: number): Promise<string> {
  if (kind === "clinic")
    return (await tx.selectFrom("clinic").select("name").where("id", "=", id).executeTakeFirstOrThrow()).name;
  const user = await tx
    .selectFrom("user")
    .select(["first_name", "last_name"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return `${user.first_name} ${user.last_name}`;
}

export const MAX_COUNTED = 10_000;

export async function countMoving(db: DbOrTx, kind: MergeKind, id: number) {
  const of = (column: "referrer_id" | "creator_id" | "clinic_id") =>
    db.selectFrom("referral").where(`referral.${column}`, "=", id).where("referral.deleted_at", "is", null);
  const referrals = of(kind === "user" ? "referrer_id" : "clinic_id").where("referral.status", ">", DRAFT);
  const drafts = of(kind === "user" ? "creator_id" : "clinic_id").where("referral.status", "=", DRAFT);
  const messages =
    kind === "user"
      ? db.selectFrom("message").where("message.author_id", "=", id)
      : of("clinic_id").innerJoin("message", "message.referral_id", "referral.id");
  const letters = referrals
    .where("referral.has_discharge_letter", "=", 1)
    .innerJoin("discharge_letter", "discharge_letter.referral_id", "referral.id")
    .where("discharge_letter.deleted_at", "is", null);
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
    .select(["email_key", "dentist_external_id", "name_sort", "merged_into_id"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!own || own.merged_into_id !== null) return [];
  const clinics = db.selectFrom("user_clinic").select("clinic_id").where("user_id", "=", id);
  const others = db
    .selectFrom("user")
    .select(["id", "user_name as knownAs"])
    .where("id", "!=", id)
    .where("status", "=", 1)
    .where("id", "not in", (eb) => eb.selectFrom("user_role").select("user_id").where("role", "in", staffRoles))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("user_clinic")
          .select("user_clinic.clinic_id")
          .whereRef("user_clinic.user_id", "=", "user.id")
          .where("user_clinic.clinic_id", "in", clinics),
      ),
    )
    .orderBy("id")
    .limit(MAX_SUGGESTIONS);
  return joined({
    email: await others.where("email_key", "=", own.email_key).execute(),
    dentistId:
      own.dentist_external_id === null
        ? []
        : await others.where("dentist_external_id", "=", own.dentist_external_id).execute(),
    name: await others.where("name_sort", "=", own.name_sort).execute(),
  });
}

export async function findDuplicateClinics(db: DbOrTx, id: number): Promise<Duplicate[]> {
  const own = await db
    .selectFrom("clinic")
    .select(["email_key", "name_sort", "zip", "merged_into_id"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!own || own.merged_into_id !== null) return [];
  const others = db
    .selectFrom("clinic")
    .select(["id", "name as knownAs"])
    .where("id", "!=", id)
    .where("status", "=", 1)
    .orderBy("id")
    .limit(MAX_SUGGESTIONS);
  return joined({
    email: await others.where("email_key", "=", own.email_key).execute(),
    dentistId: [],
    name: await others.where("name_sort", "=", own.name_sort).where("zip", "=", own.zip).execute(),
  });
}

function joined(found: Record<Likeness, { id: number; knownAs: string }[]>): Duplicate[] {
  const all = (["dentistId", "email", "name"] as const).flatMap((why) =>
    found[why].map((other) => ({ ...other, why })),
  );
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index).slice(0, MAX_SUGGESTIONS);
}

export function findRunsOf(db: DbOrTx, kind: MergeKind, id: number) {
  const lost = db.selectFrom("merge_loser").select("run_id").where("loser_id", "=", id);
  return db
    .selectFrom("merge_run")
    .select(["id", "winner_id", "state", "at", "undone_at"])
    .where("kind", "=", kind)
    .where((eb) => eb.or([eb("winner_id", "=", id), eb("id", "in", lost)]))
    .orderBy("id", "desc")
    .limit(20)
    .execute();
}

export const findLosersOf = (db: DbOrTx, runIds: number[]) =>
  db
    .selectFrom("merge_loser")
    .select(["run_id", "loser_id"])
    .where("run_id", "in", orNone(runIds))
    .orderBy("loser_id")
    .execute();

export const findLeft = (db: DbOrTx, runIds: number[]) =>
  db
    .selectFrom("merge_moved")
    .select(["run_id", "place", "row_id"])
    .where("run_id", "in", orNone(runIds))
    .where("outcome", "=", "left")
    .orderBy("run_id")
    .orderBy("place")
    .orderBy("row_id")
    .limit(1000)
    .execute();

export async function findKnownAs(db: DbOrTx, kind: MergeKind, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows =
    kind === "user"
      ? await db.selectFrom("user").select(["id", "user_name as name"]).where("id", "in", ids).execute()
      : await db.selectFrom("clinic").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

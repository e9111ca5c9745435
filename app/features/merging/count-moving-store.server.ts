import type { SelectQueryBuilder } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { DRAFT } from "~/access/scope.server";
import type { MergeKind } from "./merged-columns";

/** Counting stops here, as in every list. */
export const MAX_COUNTED = 10_000;

/** Counts what a merge would move, each up to `MAX_COUNTED`. */
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
  const { count } = await db
    .selectFrom(some.as("some"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

import type { ExpressionBuilder } from "kysely";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { Database } from "~db/schema";
import { trustedReferral } from "~/access/scope.server";
import { inactiveSurgeonIds } from "~/features/directory/store.server";
import { toMoment } from "~/text/dates";
import { ENDED, statuses } from "../model/statuses";
import { isUrgent } from "../model/triage";

const OPEN = statuses.map(({ value }) => value).filter((value) => !ENDED.includes(value));

/** Open cases of surgeons who are inactive: nobody finds them under 'mine'. */
export const hasInactiveSurgeon = (eb: ExpressionBuilder<Database, "referral">) =>
  eb.and([eb("referral.status", "in", OPEN), eb("referral.surgeonId", "in", inactiveSurgeonIds(eb))]);

const casesOf = (db: DbOrTx, surgeonId: number) =>
  db
    .selectFrom("referral")
    .select(["id", "status", "referenceType", "triageUrgency"])
    .where("surgeonId", "=", surgeonId)
    .where("status", "in", OPEN)
    .where("deletedAt", "is", null);

/** A surgeon's open cases, and how many of them are urgent. */
export async function countOpenCases(db: DbOrTx, surgeonId: number): Promise<{ count: number; urgent: number }> {
  const rows = await casesOf(db, surgeonId).execute();
  return { count: rows.length, urgent: rows.filter(isUrgent).length };
}

/** Gives a surgeon's open cases to another one. Returns them with their status. */
export async function giveCases(
  tx: Tx,
  { from, to, by }: { from: number; to: number; by: number },
  now: Date,
): Promise<{ referralId: ReturnType<typeof trustedReferral>; status: number }[]> {
  const rows = await forUpdate(tx, casesOf(tx, from).orderBy("id")).execute();
  if (rows.length === 0) return [];
  markReferrals(
    tx,
    rows.map(({ id }) => id),
  );
  await tx
    .updateTable("referral")
    .set((eb) => ({ surgeonId: to, modifierId: by, modifiedAt: toMoment(now), version: eb("version", "+", 1) }))
    .where("surgeonId", "=", from)
    .where("status", "in", OPEN)
    .where("deletedAt", "is", null)
    .execute();
  return rows.map(({ id, status }) => ({ referralId: trustedReferral(id), status }));
}

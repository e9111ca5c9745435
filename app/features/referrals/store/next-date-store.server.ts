import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { inScope } from "~/access/scope.server";
import type { DatedReferral } from "~/features/referrals/model/next-date.server";
import { statusesWithoutKnownDate } from "~/features/referrals/model/status";

/** Locked, so that a change of another transaction is not followed from an older state. */
export function lockDated(
  tx: Tx,
  ids: readonly number[],
): Promise<(DatedReferral & { id: number; next_due_on: string })[]> {
  const rows = tx
    .selectFrom("referral")
    .select([
      "id",
      "status",
      "status_since",
      "create_date",
      "sent_at",
      "deleted_at",
      "is_test",
      "hold_until",
      "operation_date",
      "cancellation_date",
      "next_due_on",
    ])
    .where("id", "in", ids)
    .orderBy("id");
  return forUpdate(tx, rows).execute();
}

/** First days of silences that have a row and last. */
export async function findOpenSilences(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = tx
    .selectFrom("silence")
    .select(["referral_id", "from_day", "until_day"])
    .where("referral_id", "in", ids);
  return new Map(
    (await rows.execute())
      .filter(({ until_day: until }) => until === null)
      .map(({ referral_id: id, from_day: from }) => [id, from]),
  );
}

/** Adds spells of silence, in place of the open ones of their referrals. */
export async function saveSilences(
  tx: Tx,
  spells: readonly { referral_id: number; from_day: string; until_day: string | null }[],
): Promise<void> {
  if (spells.length === 0) return;
  const ids = spells.map(({ referral_id: id }) => id);
  await tx.deleteFrom("silence").where("referral_id", "in", ids).where("until_day", "is", null).execute();
  // Without a day's end in it, a silence never was.
  const lasting = spells.filter(({ from_day: from, until_day: until }) => until === null || from < until);
  if (lasting.length > 0) await tx.insertInto("silence").values(lasting).execute();
}

export async function saveNextDate(tx: Tx, ids: readonly number[], day: string): Promise<void> {
  await tx.updateTable("referral").set({ next_due_on: day }).where("id", "in", ids).execute();
}

/** Referrals in scope that are silent on a day and may be known to be. */
function silentOn(db: DbOrTx, actor: Actor, today: string) {
  const unknown = statusesWithoutKnownDate(actor);
  return inScope(db.selectFrom("referral").select("referral.id"), actor, "sent")
    .where("next_due_on", "<", today)
    .$if(unknown.length > 0, (query) => query.where("referral.status", "not in", unknown));
}

export async function countSilent(db: DbOrTx, actor: Actor, today: string): Promise<number> {
  const { n } = await silentOn(db, actor, today)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** The longest silent first. */
export function findSilent(
  db: DbOrTx,
  actor: Actor,
  today: string,
  { offset, limit }: { offset: number; limit: number },
) {
  return silentOn(db, actor, today)
    .select([
      "referral.status",
      "referral.next_due_on",
      "referral.clinic_id",
      "referral.status_since",
      "referral.create_date",
      "referral.operation_set_at",
      "referral.discharge_sent_at",
      "referral.declines_discharge_letter",
    ])
    .orderBy("referral.next_due_on")
    .orderBy("referral.id")
    .offset(offset)
    .limit(limit)
    .execute();
}

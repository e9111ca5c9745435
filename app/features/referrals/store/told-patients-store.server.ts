import type { DbOrTx } from "~db/connection.server";

/** Logged by 'Patienten har fået tid pr. telefon'. */
export const TIME_BY_PHONE = "Patienten har fået tid pr. telefon";

const CALL_UP_SENT = 3;

/** Those of the referrals whose patient was told to ring: a call-up left, or somebody noted a time by phone. */
export async function findToldPatients(db: DbOrTx, referralIds: readonly number[]): Promise<Set<number>> {
  if (referralIds.length === 0) return new Set();
  const calledUp = db
    .selectFrom("call_up")
    .leftJoin("outbox as sending", "sending.id", "call_up.outbox_id")
    .select("call_up.referral_id as id")
    .where("call_up.referral_id", "in", referralIds)
    .where((eb) =>
      eb.or([
        eb("sending.outcome", "=", "sent"),
        eb.and([eb("call_up.outbox_id", "is", null), eb("call_up.call_up_status", "=", CALL_UP_SENT)]),
      ]),
    );
  const byPhone = db
    .selectFrom("visit_log")
    .select("referral_id as id")
    .where("referral_id", "in", referralIds)
    .where("event", "=", TIME_BY_PHONE);
  return new Set((await calledUp.union(byPhone).execute()).map(({ id }) => id));
}

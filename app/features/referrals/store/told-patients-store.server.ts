import type { DbOrTx } from "~db/connection.server";

/** Logged by 'Patienten har fået tid pr. telefon'. */
export const TIME_BY_PHONE = "Patienten har fået tid pr. telefon";

const CALL_UP_SENT = 3;

/** Those of the referrals whose patient was told to ring: a call-up left, or somebody noted a time by phone. */
export async function findToldPatients(db: DbOrTx, referralIds: readonly number[]): Promise<Set<number>> {
  if (referralIds.length === 0) return new Set();
  const calledUp = db
    .selectFrom("callUp")
    .leftJoin("outbox as sending", "sending.id", "callUp.outboxId")
    .select("callUp.referralId as id")
    .where("callUp.referralId", "in", referralIds)
    .where((eb) =>
      eb.or([
        eb("sending.outcome", "=", "sent"),
        eb.and([eb("callUp.outboxId", "is", null), eb("callUp.callUpStatus", "=", CALL_UP_SENT)]),
      ]),
    );
  const byPhone = db
    .selectFrom("visitLog")
    .select("referralId as id")
    .where("referralId", "in", referralIds)
    .where("event", "=", TIME_BY_PHONE);
  return new Set((await calledUp.union(byPhone).execute()).map(({ id }) => id));
}

import type { Tx } from "~db/connection.server";

/**
 * Updates the SMS list's summary of a referral's thread: message count and detected cancellation. Must run in the
 * transaction that changed the thread. Withdrawn messages do not count.
 */
export async function refreshSmsSummary(tx: Tx, referralId: number): Promise<void> {
  const count = async (table: "outbox" | "incoming_sms") => {
    const counted = await tx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("referral_id", "=", referralId)
      .$if(table === "outbox", (query) => query.where("channel", "=", "sms").where("outcome", "<>", "withdrawn"))
      .executeTakeFirstOrThrow();
    return Number(counted.count);
  };
  const cancellation = await tx
    .selectFrom("incoming_sms")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("cancellation_detected", "=", 1)
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("referral")
    .set({
      sms_count: (await count("outbox")) + (await count("incoming_sms")),
      has_cancellation_message: cancellation === undefined ? 0 : 1,
    })
    .where("id", "=", referralId)
    .execute();
}

/** After a cancellation is undone, its answers no longer count as one. */
export async function clearDetectedCancellations(tx: Tx, referralId: number): Promise<void> {
  const cleared = await tx
    .updateTable("incoming_sms")
    .set({ cancellation_detected: 0 })
    .where("referral_id", "=", referralId)
    .where("cancellation_detected", "=", 1)
    .executeTakeFirst();
  if (cleared.numUpdatedRows > 0n) await refreshSmsSummary(tx, referralId);
}

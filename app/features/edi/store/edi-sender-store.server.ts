import { type DbOrTx, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** The referrer linked to a sender by a person; null if none. */
export async function findLinkedReferrer(db: DbOrTx, senderKey: string): Promise<number | null> {
  const row = await db
    .selectFrom("edi_sender")
    .select("referrer_id")
    .where("sender_key", "=", senderKey)
    .executeTakeFirst();
  return row?.referrer_id ?? null;
}

/** The newest link counts. */
export async function linkSender(
  tx: Tx,
  { senderKey, referrerId, personId, now }: { senderKey: string; referrerId: number; personId: number; now: Date },
): Promise<void> {
  await tx.deleteFrom("edi_sender").where("sender_key", "=", senderKey).execute();
  await tx
    .insertInto("edi_sender")
    .values({ sender_key: senderKey, referrer_id: referrerId, linked_by: personId, linked_at: toMoment(now) })
    .execute();
}

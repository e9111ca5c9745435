import type { DbOrTx, Tx } from "~db/connection.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { toMoment } from "~/text/dates";

interface LatestSending {
  referral_id: number;
  outbox_id: number | null;
  edi_outbox_id: number | null;
}

/** All messages of a letter, newest first; each names its predecessor, and a sending's mail its EDI message. */
export async function findSendings(db: DbOrTx, letter: LatestSending) {
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "resends_id", "channel", "outcome", "created_at", "sent_at", "handled_at"])
    .where("referral_id", "=", letter.referral_id)
    .where("kind", "=", "dischargeLetter")
    .execute();
  const byId = new Map(rows.map((row) => [row.id, { ...row, channel: row.channel as ChannelName }]));
  const chain = [];
  for (
    let row = byId.get(Math.max(letter.outbox_id ?? 0, letter.edi_outbox_id ?? 0));
    row;
    row = byId.get(row.resends_id ?? 0)
  )
    chain.push(row);
  return chain;
}

/** The letter of a message, also if it was resent since; undefined for none. */
export async function findSentLetter(db: DbOrTx, message: { id: number; referralId: number | null }) {
  if (message.referralId === null) return undefined;
  const letters = await db
    .selectFrom("discharge_letter")
    .select([
      "id",
      "referral_id",
      "letter_number",
      "outbox_id",
      "edi_outbox_id",
      "send_edi_as_email",
      "diagnosis_file_id",
      "attempts",
      "deleted_at",
    ])
    .where("referral_id", "=", message.referralId)
    .execute();
  for (const letter of letters) if ((await findSendings(db, letter)).some(({ id }) => id === message.id)) return letter;
  return undefined;
}

export type SentLetter = NonNullable<Awaited<ReturnType<typeof findSentLetter>>>;

/** Sends a waiting message now instead of at its hour. False if sending has begun or it no longer waits. */
export async function bringForward(tx: Tx, outboxId: number, now: Date): Promise<boolean> {
  const moved = await tx
    .updateTable("outbox")
    .set({ not_before: toMoment(now) })
    .where("id", "=", outboxId)
    .where("outcome", "=", "queued")
    .where("sending_since", "is", null)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** When a letter was last sent successfully; null clears it. */
export async function writeSendDate(tx: Tx, letterId: number, sentAt: string | null): Promise<void> {
  await tx.updateTable("discharge_letter").set({ send_date: sentAt }).where("id", "=", letterId).execute();
}

/** Updates the summary that the list of letters sorts by. Must run in the transaction that changed a letter. */
export async function refreshSummary(tx: Tx, referralId: number): Promise<void> {
  const { count, sent } = await tx
    .selectFrom("discharge_letter")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("send_date").as("sent")])
    .where("referral_id", "=", referralId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("referral")
    .set({ has_discharge_letter: Number(count) > 0 ? 1 : 0, discharge_sent_at: sent })
    .where("id", "=", referralId)
    .execute();
}

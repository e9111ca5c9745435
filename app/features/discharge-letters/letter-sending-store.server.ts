import type { Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** Every sending of a letter, the latest first: each names the one that it repeats. */
export async function findSendings(tx: Tx, letter: { referral_id: number; outbox_id: number | null }) {
  const rows = await tx
    .selectFrom("outbox")
    .select(["id", "resends_id", "outcome", "sent_at", "handled_at"])
    .where("referral_id", "=", letter.referral_id)
    .where("kind", "=", "dischargeLetter")
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const chain: typeof rows = [];
  for (let row = byId.get(letter.outbox_id ?? 0); row; row = byId.get(row.resends_id ?? 0)) chain.push(row);
  return chain;
}

/** The letter that a message was about, also one that has been sent again since; undefined for none. */
export async function findSentLetter(tx: Tx, message: { id: number; referralId: number | null }) {
  if (message.referralId === null) return undefined;
  const letters = await tx
    .selectFrom("discharge_letter")
    .select(["id", "referral_id", "letter_number", "outbox_id", "attempts", "deleted_at"])
    .where("referral_id", "=", message.referralId)
    .execute();
  for (const letter of letters) if ((await findSendings(tx, letter)).some(({ id }) => id === message.id)) return letter;
  return undefined;
}

/** Sends a message that waits at once instead of at its hour. Answers false when somebody has begun to send it, or it waits no more. */
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

/** When a letter was last sent with success; null takes it back. */
export async function writeSendDate(tx: Tx, letterId: number, sentAt: string | null): Promise<void> {
  await tx.updateTable("discharge_letter").set({ send_date: sentAt }).where("id", "=", letterId).execute();
}

/** Writes what the list of discharge letters holds and sorts by: in the transaction that changed one of a referral's letters, and nowhere else. */
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

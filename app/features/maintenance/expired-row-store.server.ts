import type { Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** Forms that were begun and not touched since a moment. */
export async function removeAutosaves(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("autosave").where("modified_at", "<", toMoment(before)).execute();
}

/** Links of patients and of new passwords that ran out before a moment. */
export async function removeLinks(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("access_token").where("expires_at", "<", toMoment(before)).execute();
}

/** What providers told before a moment, but for the replies of patients. */
export async function removeReceipts(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom("delivery_event")
    .where("kind", "!=", "reply")
    .where("received_at", "<", toMoment(before))
    .execute();
}

/** What 'Fortryd' would take back of changes that were made before a moment. */
export async function removeMassChanges(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  await tx
    .deleteFrom("mass_change_row")
    .where("mass_change_id", "in", tx.selectFrom("mass_change").select("id").where("at", "<", at))
    .execute();
  await tx.deleteFrom("mass_change").where("at", "<", at).execute();
}

/** Rows per statement; the job repeats it. */
const BATCH_SIZE = 500;

/** The texts of messages that came to an end before a moment, and of patients' answers that somebody has seen to; the rows stay. */
export async function removeTexts(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  const sent = await tx
    .selectFrom("outbox")
    .select("id")
    .where("has_text", "=", 1)
    .where("settled_at", "<", at)
    .orderBy("settled_at")
    .limit(BATCH_SIZE)
    .execute();
  await tx.updateTable("outbox").set({ content_encrypted: "" }).where("id", "in", idsOf(sent)).execute();
  const answers = await tx
    .selectFrom("incoming_sms")
    .select(["id", "delivery_event_id"])
    .where("has_text", "=", 1)
    .where("received_at", "<", at)
    .where("state", "in", ["settled", "dismissed"])
    .orderBy("received_at")
    .limit(BATCH_SIZE)
    .execute();
  await tx.updateTable("incoming_sms").set({ content_encrypted: "" }).where("id", "in", idsOf(answers)).execute();
  await tx
    .updateTable("delivery_event")
    .set({ content_encrypted: null })
    .where("id", "in", idsOf(answers.map(({ delivery_event_id: id }) => ({ id }))))
    .execute();
}

/** The batches of letters that were made before a moment and have been printed or put back; their files go with the next purge. */
export async function removeLetterBatches(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  const batches = await tx
    .selectFrom("letter_batch")
    .select(["id", "stored_file_id"])
    .where("created_at", "<", at)
    .where((eb) => eb.or([eb("printed_at", "is not", null), eb("withdrawn_at", "is not", null)]))
    .orderBy("created_at")
    .limit(BATCH_SIZE)
    .execute();
  await tx
    .updateTable("stored_file")
    .set({ purge_after: at })
    .where("id", "in", idsOf(batches.map(({ stored_file_id: id }) => ({ id }))))
    .execute();
  await tx.deleteFrom("letter_batch_item").where("batch_id", "in", idsOf(batches)).execute();
  await tx.deleteFrom("letter_batch").where("id", "in", idsOf(batches)).execute();
}

/** Never empty, which MySQL would not read. */
const idsOf = (rows: { id: number }[]) => (rows.length === 0 ? [0] : rows.map(({ id }) => id));

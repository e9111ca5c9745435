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

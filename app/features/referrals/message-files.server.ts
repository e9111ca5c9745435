import type { DbOrTx, Tx } from "~db/connection.server";
import type { HeldFile } from "~/features/images/held-uploads.server";
import { attachFiles, findFiles, hideFiles, refreshRadiographMark } from "./referral-file-store.server";

/** A radiograph that came with a message, and its type (0 to 4, specification 1 §3). */
export type TypedRadiograph = HeldFile & { radiographType: number };

interface OfMessage {
  referralId: number;
  messageId: number;
}

/** Hangs claimed uploads on a message and its referral: 'Røntgen' become the referral's radiographs, 'Andre filer' its attachments. */
export async function attachToMessage(
  tx: Tx,
  { referralId, messageId }: OfMessage,
  { radiographs, attachments }: { radiographs: TypedRadiograph[]; attachments: HeldFile[] },
  uploaderId: number,
  now: Date,
): Promise<void> {
  await attachFiles(tx, referralId, [...radiographs, ...attachments.map((file) => ({ ...file, radiographType: null, messageId }))], uploaderId, now);
  if (radiographs.length > 0) await refreshRadiographMark(tx, referralId);
}

/** Takes off those attachments of a message that are not kept; their bytes are purged later. Answers how many are left. */
export async function keepAttachments(tx: Tx, { referralId, messageId }: OfMessage, keptIds: number[], now: Date, purgeAfterDays: number): Promise<number> {
  const there = await attachmentsOf(tx, referralId, messageId);
  const dropped = there.filter((id) => !keptIds.includes(id));
  await hideFiles(tx, referralId, dropped, now, purgeAfterDays);
  return there.length - dropped.length;
}

/** The attachments of a referral's messages, each with its message. */
export async function findMessageFiles(db: DbOrTx, referralId: number): Promise<{ id: number; name: string; messageId: number }[]> {
  const files = await findFiles(db, referralId);
  return files.flatMap(({ id, fileName, messageId }) => (messageId === null ? [] : [{ id, name: fileName, messageId }]));
}

async function attachmentsOf(db: DbOrTx, referralId: number, messageId: number): Promise<number[]> {
  const files = await findFiles(db, referralId);
  return files.filter((file) => file.messageId === messageId).map((file) => file.id);
}

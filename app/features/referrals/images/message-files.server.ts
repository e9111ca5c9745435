import type { DbOrTx, Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import type { StagedFile } from "~/files/staging/staged-upload-store.server";
import { attachRadiographs } from "./attach-radiographs.server";
import { attachFiles, findFiles, hideFiles } from "~/features/referrals/store/referral-file-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";

export type TypedRadiograph = StagedFile & { radiographType: number };

interface OfMessage {
  referralId: ScopedReferralId;
  messageId: number;
}

/**
 * Attaches claimed uploads to a message: 'Andre filer' become attachments, 'Røntgen' the referral's radiographs by the
 * rules of the upload dialog (duplicates skipped, version raised, logged). Returns the names of duplicates.
 */
export async function attachToMessage(
  context: Pick<ChangeContext, "tx" | "actor" | "person" | "now" | "outbox" | "portal">,
  { referralId, messageId }: OfMessage,
  { radiographs, attachments }: { radiographs: TypedRadiograph[]; attachments: StagedFile[] },
): Promise<string[]> {
  const { tx, actor, person, now } = context;
  await attachFiles(
    tx,
    referralId,
    attachments.map((file) => ({ ...file, radiographType: null, messageId })),
    person.id,
    now,
  );
  if (radiographs.length === 0) return [];
  const referral = await findReferral(tx, actor, referralId);
  const outcomes = await attachRadiographs({ ...context, uploaderId: person.id }, referral, radiographs);
  return outcomes.flatMap(({ file, isDuplicateFile }) => (isDuplicateFile ? [file.fileName] : []));
}

/** Removes attachments that are not kept (purged later); returns how many are left. */
export async function retainAttachments(
  tx: Tx,
  { referralId, messageId }: OfMessage,
  retainedIds: number[],
  now: Date,
  purgeAfterDays: number,
): Promise<number> {
  const there = await attachmentsOf(tx, referralId, messageId);
  const dropped = there.filter((id) => !retainedIds.includes(id));
  await hideFiles(tx, referralId, dropped, now, purgeAfterDays);
  return there.length - dropped.length;
}

/** Attachments of a referral's messages. */
export async function findMessageFiles(
  db: DbOrTx,
  referralId: ScopedReferralId,
): Promise<{ id: number; name: string; sizeBytes: number; scanState: string; messageId: number }[]> {
  const files = await findFiles(db, referralId);
  return files.flatMap(({ id, fileName, sizeBytes, scanState, messageId }) =>
    messageId === null ? [] : [{ id, name: fileName, sizeBytes, scanState, messageId }],
  );
}

async function attachmentsOf(db: DbOrTx, referralId: ScopedReferralId, messageId: number): Promise<number[]> {
  const files = await findFiles(db, referralId);
  return files.filter((file) => file.messageId === messageId).map((file) => file.id);
}

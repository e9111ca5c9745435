import { type DbOrTx, type Tx, idsOf } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { attachFiles, findFiles, hideFiles } from "~/features/referrals/store/referral-file-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import type { StagedFile } from "~/files/staging/staged-upload-store.server";
import { attachRadiographs } from "./attach-radiographs.server";

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
  const outcomes = await attachRadiographs(context, referral, radiographs, person.id);
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

/** Ids of a message's files. */
export async function attachmentsOf(db: DbOrTx, referralId: ScopedReferralId, messageId: number): Promise<number[]> {
  const files = await findFiles(db, referralId);
  return idsOf(files.filter((file) => file.messageId === messageId));
}

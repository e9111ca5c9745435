import type { Actor } from "~/access/actor";
import type { CommandResult } from "~/access/command-result";
import { type ChangeContext, execute, external, plainInput, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { insertStoredFile, stageImage, type StoredFile } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import {
  claimPartial,
  findAnyPartial,
  findPartial,
  findUnfinished,
  type PartialUpload,
  recordOutcome,
  removePartial,
} from "~/files/staging/partial-upload-store.server";
import { countReceived, receivedBytes } from "~/files/staging/upload-part-store.server";
import { withWholeUpload } from "~/files/staging/upload-parts.server";
import { sendIfComplete } from "~/features/referrals/sending/complete-sending.server";
import { refusedText } from "~/features/referrals/sending/send-draft.server";
import { refreshAwaitedFiles } from "~/features/referrals/store/awaited-sending-store.server";
import { lockRadiographs } from "~/features/referrals/store/radiograph-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import type { DbOrTx } from "~db/connection.server";
import { attachRadiographs, findUploadTarget } from "./attach-radiographs.server";
import { findOwnUpload, oneUpload } from "./upload-radiograph.server";

const UPLOAD_GONE = { refused: "Henvisningen findes ikke længere." };

/** What storing an upload came to; null where somebody has finished it before. */
type Stored = Awaited<ReturnType<typeof storeUpload>> | null;

/**
 * Makes an upload that has come whole an image of its referral, exactly once: what it truly is, a virus scan and the DICOM header come
 * first (storeUpload). Was it the last that its referral waited for, the referral is sent in the same transaction. Of a form that is not saved
 * yet it becomes one of the form's files. Asked again it answers the same. Answers in `data` `fileId`, or `refused` with the reason in Danish.
 */
export const finishRadiographUpload = external({
  name: "finishRadiographUpload",
  permission: "referral.write",
  input: oneUpload,
  prepare: (context, { uploadId }) =>
    storeWhole(context, uploadId, async () => (await findOwnUpload(context.db, context.person, uploadId)).upload),
  run: (context, { uploadId }, stored) =>
    finish(context, uploadId, stored, (tx) => findPartial(tx, context.person.id, uploadId)),
});

/** The same by the job, of an upload that somebody waits for and that came whole when nobody was there any more to finish it. */
export const finishAwaitedUpload = external({
  name: "finishAwaitedUpload",
  permission: "system",
  input: oneUpload,
  prepare: (context, { uploadId }) =>
    storeWhole(context, uploadId, async () => {
      const upload = await findAnyPartial(context.db, uploadId);
      if (!upload?.isAwaited) throw new Refusal("notInScope");
      return upload;
    }),
  run: (context, { uploadId }, stored) => finish(context, uploadId, stored, (tx) => findAnyPartial(tx, uploadId)),
});

async function storeWhole(
  { db, portal }: ReadContext,
  uploadId: string,
  find: () => Promise<PartialUpload>,
): Promise<Stored> {
  // The bytes are counted before the row is read: who removes them has changed the row first.
  const received = await receivedBytes(db, uploadId);
  const upload = await find();
  if (upload.state !== "arriving") return null;
  if (received !== upload.sizeBytes) throw new Refusal("uploadBroken");
  try {
    // Kept under the upload's own name: a crash before the commit leaves its pieces, to be finished again.
    return await withWholeUpload(portal, uploadId, (whole) =>
      storeUpload(portal, whole, upload.fileName, "radiograph", { storageKey: uploadId }),
    );
  } catch (error) {
    // Another process has finished it meanwhile, and taken the pieces away.
    if ((await find()).state !== "arriving") return null;
    throw error;
  }
}

async function finish(
  context: ChangeContext,
  uploadId: string,
  stored: Stored,
  find: (tx: DbOrTx) => Promise<PartialUpload | null>,
): Promise<CommandResult> {
  const { tx, actor, portal, now, auditChange, afterCommit } = context;
  afterCommit(() => removePartial(portal, uploadId));
  const before = await find(tx);
  // The referral before the upload, as a sending takes them: neither then waits for the other.
  const there = before && (await targetOf(tx, actor, before));
  if (there) await lockRadiographs(tx, there.id);
  const isFirst = stored !== null && (await claimPartial(tx, uploadId));
  // As it is by now: its form may have been saved meanwhile.
  const upload = await find(tx);
  if (!isFirst || !upload) return { data: upload ? outcomeOf(upload) : UPLOAD_GONE };
  const kept = "kept" in stored ? { storedFileId: await insertStoredFile(tx, stored.kept, now), ...stored.kept } : null;
  if (upload.referralId === null) {
    if (kept) await stageImage(tx, { ...upload, ...kept, formKey: upload.formKey! }, now);
    return settle(context, upload, { refusal: "refused" in stored ? stored.refused : null, fileId: null });
  }
  const referral = await targetOf(tx, actor, upload);
  if (referral === null) return settle(context, upload, { refusal: UPLOAD_GONE.refused, fileId: null });
  const outcome = kept ? await attach(context, referral, upload, kept) : { fileId: null, refusal: null };
  const settled = await settle(context, upload, {
    ...outcome,
    refusal: "refused" in stored ? stored.refused : outcome.refusal,
  });
  const wasSent = await afterArrival(context, referral, upload, settled.data?.refused as string | undefined);
  auditChange([referral.id], `upload ${uploadId}${wasSent ? ", sent" : ""}`);
  return settled;
}

const targetOf = (tx: DbOrTx, actor: Actor, { referralId }: PartialUpload): Promise<ReferralRow | null> =>
  referralId === null ? Promise.resolve(null) : findUploadTarget(tx, actor, referralId).catch(() => null);

async function attach(
  { tx, actor, now, outbox, portal }: ChangeContext,
  referral: ReferralRow,
  { radiographType, ownerId }: PartialUpload,
  kept: StoredFile & { storedFileId: number },
): Promise<{ fileId: number | null; refusal: string | null }> {
  const [outcome] = await attachRadiographs({ tx, actor, now, outbox, portal, uploaderId: ownerId }, referral, [
    { ...kept, radiographType },
  ]);
  if (outcome!.refused !== null) return { fileId: null, refusal: outcome!.refused };
  const files = await findFiles(tx, referral.id);
  return { fileId: files.find(({ storageKey }) => storageKey === kept.storageKey)?.id ?? null, refusal: null };
}

async function settle(
  { tx }: ChangeContext,
  upload: PartialUpload,
  { refusal, fileId }: { refusal: string | null; fileId: number | null },
): Promise<CommandResult> {
  const settled = {
    ...upload,
    state: refusal === null ? ("kept" as const) : ("refused" as const),
    refusal,
    referralFileId: fileId,
  };
  await recordOutcome(tx, settled);
  return { data: outcomeOf(settled) };
}

/** A draft that waited for it may be complete; of a sent referral the mark and, where it was not taken, the log say so. Answers whether it was sent. */
async function afterArrival(
  context: ChangeContext,
  referral: ReferralRow,
  { fileName, isAwaited }: PartialUpload,
  refusal: string | undefined,
): Promise<boolean> {
  const { tx, actor, now } = context;
  if (referral.sent_at === null) return sendIfComplete(context, referral);
  if (!isAwaited) return false;
  await refreshAwaitedFiles(tx, referral.id);
  if (refusal !== undefined)
    await insertVisitLog(
      tx,
      actor,
      [{ referralId: referral.id, status: referral.status, event: refusedText({ fileName, refusal }) }],
      now,
    );
  return false;
}

/** Finishes what came whole when nobody was there any more to finish it: a server that was killed, a browser that was closed. */
export async function finishCompletedUploads(
  { db, person, portal, caller }: ReadContext,
  referralId: number,
): Promise<void> {
  const target = await findUploadTarget(db, person, referralId);
  const unfinished = await findUnfinished(db, person.id, target.id);
  const received = await countReceived(
    db,
    unfinished.map(({ id }) => id),
  );
  for (const { id, sizeBytes } of unfinished) {
    if (received.get(id) === sizeBytes)
      await execute(portal, caller, finishRadiographUpload, plainInput({ uploadId: id }));
  }
}

function outcomeOf({ state, referralFileId, refusal }: PartialUpload) {
  return state === "kept" ? { fileId: referralFileId } : { refused: refusal ?? "" };
}

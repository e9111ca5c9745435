import type { Actor } from "~/access/actor";
import type { CommandResult } from "~/access/caller";
import { type ChangeContext, execute, external, plainInput, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { settleLine } from "~/features/referrals/material/answer-material.server";
import { notReceivedText } from "~/features/referrals/model/missing-texts";
import { sendIfComplete } from "~/features/referrals/sending/operations.server";
import { refreshAwaitedFiles } from "../store/wizard-store.server";
import { lockRadiographs } from "~/features/referrals/store/referral-file-store.server";
import { findSentOrDraft, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { archiveTexts, groupRefusals, isArchive, notTakenText } from "~/files/archive/archive-rules";
import { turnOfPerson } from "~/files/reading/reader-job";
import { unpackArchive, type Unpacked } from "~/files/archive/unpack-archive.server";
import { openUnpackQuota } from "~/files/archive/unpack-quota-store.server";
import { arrivedType } from "~/files/file-rules";
import { removePartial, countReceived, receivedBytes } from "~/files/staging/upload-part-store.server";
import {
  claimPartial,
  findAnyPartial,
  findPartial,
  findUnfinished,
  type PartialUpload,
  recordOutcome,
  insertUnpacked,
} from "~/files/staging/partial-upload-store.server";
import { stageImages } from "~/files/staging/staged-upload-store.server";
import { withWholeUpload } from "~/files/staging/upload-parts.server";
import { openUploadRoom } from "~/files/staging/upload-quota.server";
import { storeUpload } from "~/files/store-file.server";
import { insertStoredFiles, type NewStoredFile } from "~/files/stored-file-store.server";
import type { Portal } from "~/portal.server";
import { type DbOrTx, type Tx, idsOf } from "~db/connection.server";
import { attachStored } from "./attach-radiographs.server";
import { findOwnUpload, oneUpload } from "./upload-radiograph.server";

type Settled = Unpacked & {
  images: readonly {
    file: NewStoredFile & { radiographType: number };
    refused: string | null;
    fileId: number | null;
  }[];
};

/** Records an upload's result, for a ZIP of each file, and returns it to the finishing request. */
async function settleUpload(tx: Tx, upload: PartialUpload, settled: Settled, now: Date): Promise<CommandResult> {
  const [only] = settled.images;
  if (isArchive(upload.fileName)) await recordUnpacked(tx, upload, settled, now);
  const { refusal, isAccepted } = isArchive(upload.fileName)
    ? refusalOfArchive(upload, settled)
    : { refusal: settled.refusal ?? only?.refused ?? null, isAccepted: only?.refused === null };
  const outcome = {
    ...upload,
    state: isAccepted ? ("kept" as const) : ("refused" as const),
    refusal,
    referralFileId: isArchive(upload.fileName) ? null : (only?.fileId ?? null),
  };
  await recordOutcome(tx, outcome);
  return { data: outcomeOf(outcome) };
}

function outcomeOf({ state, referralFileId, refusal }: PartialUpload) {
  return state === "kept" ? { fileId: referralFileId } : { refused: refusal ?? "" };
}

const notTaken = ({ images, refused }: Settled) => [
  ...refused,
  ...images.flatMap(({ file, refused: text }) => (text === null ? [] : [{ fileName: file.fileName, text }])),
];

/** A ZIP with any accepted file is accepted; refused files are recorded for the log. */
function refusalOfArchive(
  { fileName }: PartialUpload,
  settled: Settled,
): { refusal: string | null; isAccepted: boolean } {
  if (settled.images.every(({ refused }) => refused !== null))
    return { refusal: settled.refusal ?? archiveTexts.noneTaken, isAccepted: false };
  const left = notTaken(settled);
  if (left.length === 0) return { refusal: null, isAccepted: true };
  const lines = groupRefusals(left).map(({ names, text }) => `${names} (${text})`);
  return { refusal: `${notTakenText(left.length, fileName)}: ${lines.join(" ")}`, isAccepted: true };
}

const recordUnpacked = (tx: Tx, archive: PartialUpload, settled: Settled, now: Date) =>
  insertUnpacked(
    tx,
    archive,
    [
      ...settled.images.map(({ file, refused, fileId }) => ({
        radiographType: file.radiographType,
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        refusal: refused,
        referralFileId: fileId,
        storageKey: refused === null ? file.storageKey : null,
      })),
      ...settled.refused.map(({ fileName, text }) => ({
        radiographType: archive.radiographType,
        fileName,
        sizeBytes: 0,
        refusal: text,
        referralFileId: null,
        storageKey: null,
      })),
    ],
    now,
  );

const UPLOAD_GONE = { refused: "Henvisningen findes ikke længere." };

type Stored = Unpacked | null;

/**
 * Turns a complete upload into an image, or a ZIP into its images, exactly once, after type check, virus scan and DICOM
 * header (storeUpload, unpackArchive). The last awaited upload also sends the referral in the same transaction. For an
 * unsaved form it becomes a file of the form. Repeated calls return the same: `data.fileId` (null for a ZIP), or
 * `refused` with a Danish reason.
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

/** Job: finishes an awaited upload whose process died. */
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
  // Bytes are counted before the row is read, because removal changes the row first.
  const received = await receivedBytes(db, uploadId);
  const upload = await find();
  if (upload.state !== "arriving") return null;
  if (received !== upload.sizeBytes) throw new Refusal("uploadBroken");
  try {
    return await withWholeUpload(portal, uploadId, (whole) => storeArrived(portal, whole, upload));
  } catch (error) {
    if ((await find()).state !== "arriving") return null;
    throw error;
  }
}

/** Stored under the upload's id: after a crash before the commit its parts remain and it is finished again. */
async function storeArrived(
  portal: Portal,
  whole: string,
  { id, fileName, ownerId, referralId }: PartialUpload,
): Promise<Unpacked> {
  const requestedBy = turnOfPerson(ownerId);
  if (isArchive(fileName)) {
    const room = await openUploadRoom({ db: portal.db, dataDir: portal.config.dataDir }, ownerId);
    const quota = await openUnpackQuota(portal.db, { personId: ownerId, referralId }, portal.clock.now());
    return unpackArchive(portal, whole, { room, quota, requestedBy });
  }
  const result = await storeUpload(portal, whole, fileName, "radiograph", { requestedBy, storageKey: id });
  return "accepted" in result
    ? { accepted: [result.accepted], refused: [], refusal: null }
    : { accepted: [], refused: [], refusal: result.refused };
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
  // Locks the referral before the upload, in the same order as sending, so that neither deadlocks.
  const there = before && (await targetOf(tx, actor, before));
  if (there) await lockRadiographs(tx, there.id);
  const isFirst = stored !== null && (await claimPartial(tx, uploadId));
  // Read again, since its form may have been saved meanwhile.
  const upload = await find(tx);
  if (!isFirst || !upload) return { data: upload ? outcomeOf(upload) : UPLOAD_GONE };
  const referral = upload.referralId === null ? null : await targetOf(tx, actor, upload);
  if (referral === null && upload.referralId !== null)
    return settleUpload(tx, upload, { accepted: [], refused: [], refusal: UPLOAD_GONE.refused, images: [] }, now);
  const accepted = (await insertStoredFiles(tx, stored.accepted, now)).map((file) => ({
    ...file,
    radiographType: arrivedType(file.fileName, upload.radiographType),
    materialLineId: upload.materialLineId,
  }));
  if (referral === null) {
    await stageImages(tx, { ...upload, formKey: upload.formKey! }, accepted, now);
    const images = accepted.map((file) => ({ file, refused: null, fileId: null }));
    return settleUpload(tx, upload, { ...stored, images }, now);
  }
  const images = await attachStored(context, referral, accepted, upload.ownerId);
  const settled = await settleUpload(tx, upload, { ...stored, images }, now);
  const wasSent = await afterArrival(context, referral, upload);
  auditChange([referral.id], `upload ${uploadId}${wasSent ? ", sent" : ""}`);
  return settled;
}

const targetOf = (tx: DbOrTx, actor: Actor, { referralId }: PartialUpload): Promise<ReferralRow | null> =>
  referralId === null ? Promise.resolve(null) : findSentOrDraft(tx, actor, referralId).catch(() => null);

/**
 * Follows an arrival: a waiting draft may now be complete; a sent referral's mark and log are updated. Returns whether
 * it was sent.
 */
async function afterArrival(
  context: ChangeContext,
  referral: ReferralRow,
  { id, ownerId, isAwaited, materialLineId }: PartialUpload,
): Promise<boolean> {
  const { tx } = context;
  if (referral.sentAt === null) return sendIfComplete(context, referral);
  if (materialLineId !== null) await settleLine(context, referral.id, materialLineId);
  if (!isAwaited) return false;
  await refreshAwaitedFiles(tx, referral.id);
  const settled = await findPartial(tx, ownerId, id);
  if (!settled?.refusal) return false;
  const { fileName, refusal, state } = settled;
  await logEvent(context, referral, notReceivedText({ fileName, refusal, isPartlyReceived: state === "kept" }));
  return false;
}

/** Job: finishes complete uploads whose server was killed or whose browser closed. */
export async function finishCompletedUploads(
  { db, person, portal, caller }: ReadContext,
  referralId: number,
): Promise<void> {
  const target = await findSentOrDraft(db, person, referralId);
  const unfinished = await findUnfinished(db, person.id, target.id);
  const received = await countReceived(db, idsOf(unfinished));
  for (const { id, sizeBytes } of unfinished) {
    if (received.get(id) === sizeBytes)
      await execute(portal, caller, finishRadiographUpload, plainInput({ uploadId: id }));
  }
}

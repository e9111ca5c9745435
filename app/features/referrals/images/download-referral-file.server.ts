import { turnOfPerson } from "~/files/reading/reader-job";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { z } from "zod";
import { type Actor, hasAccount } from "~/access/actor";
import { read, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { DICOM_MIME } from "~/files/file-rules";
import { MAX_TONE_STEPS, noPreviewTexts, type NoPreviewReason } from "~/files/previews/preview-result";
import { noPreviewPicture } from "~/files/previews/preview.server";
import { zipOf } from "~/streams/zip.server";
import type { ByteRange } from "~/gateways/file-store/port";
import type { DbOrTx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { pictureMimes } from "~/files/pictures";
import { findFile, findFiles, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, findSentOrDraft } from "~/features/referrals/store/referral-store.server";

const oneFile = z.object({
  referralId: wholeNumber.positive(),
  fileId: wholeNumber.positive(),
});

const INLINE_TYPES = new Set([...pictureMimes, "application/pdf"]);

async function fileInScope(db: DbOrTx, actor: Actor, referralId: number, fileId: number): Promise<ReferralFile> {
  const row = await findSentOrDraft(db, actor, referralId);
  const file = await findFile(db, row.id, fileId);
  if (!file || file.scanState === "infected") throw new Refusal("fileMissing");
  return file;
}

/** The original file, unchanged. Throws `notInScope` and `fileMissing`. */
export const downloadReferralFile = read({
  name: "downloadReferralFile",
  permission: "referral.read",
  input: oneFile,
  async run({ db, actor, portal, auditRead }, { referralId, fileId }) {
    const file = await fileInScope(db, actor, referralId, fileId);
    auditRead([referralId]);
    return originalOf(portal, file, INLINE_TYPES.has(file.mime) ? "inline" : "attachment");
  },
});

const originalOf = (
  { files }: Portal,
  { fileName, mime, sizeBytes, sha256, storageKey }: ReferralFile,
  disposition: "inline" | "attachment",
) => ({
  fileName,
  mime,
  sizeBytes,
  etag: sha256,
  disposition,
  open: (range?: ByteRange) => files.openRead(storageKey, range),
});

/**
 * A file of a referral or own draft by kind: the approval without id, others by id. Infected files are never served.
 * Throws `notInScope` and `fileMissing`.
 */
export const downloadFileOfKind = read({
  name: "downloadVisitFile",
  permission: "referral.read",
  input: z.object({
    referralId: z.number().int(),
    kind: z.enum(["approval", "journal", "radiograph", "attachment"]),
    fileId: z.number().int().optional(),
  }),
  async run({ db, actor, portal, auditRead }, { referralId, kind, fileId }) {
    const row = await findSentOrDraft(db, actor, referralId);
    const file = (await findFiles(db, row.id)).find(
      (each) => each.kind === kind && (fileId === undefined || each.id === fileId),
    );
    if (!file || file.scanState === "infected") throw new Refusal("fileMissing");
    auditRead([referralId]);
    return originalOf(portal, file, "attachment");
  },
});

/** Streams all images of a sent referral as a ZIP. Throws `notInScope`, and `fileMissing` if there are none. */
export const downloadRadiographs = read({
  name: "downloadRadiographs",
  permission: "referral.read",
  input: oneFile.pick({ referralId: true }),
  async run({ db, actor, portal, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    const images = (await findFiles(db, row.id)).filter(
      (file) => file.kind === "radiograph" && file.scanState !== "infected",
    );
    if (images.length === 0) throw new Refusal("fileMissing", { text: "Henvisningen har ingen billeder at hente." });
    auditRead([referralId]);
    return {
      // Patient names must not appear in a downloads folder.
      fileName: `roentgenbilleder-${referralId}.zip`,
      mime: "application/zip",
      disposition: "attachment" as const,
      open: () =>
        zipOf(images.map(({ fileName, storageKey }) => ({ fileName, open: () => portal.files.openRead(storageKey) }))),
    };
  },
});

const toneStep = wholeNumber.min(-MAX_TONE_STEPS).max(MAX_TONE_STEPS).catch(0);

/**
 * A preview: `thumb`, screen-sized `view`, or `full`; or a sheet that explains why there is none. For DICOM with a
 * 0-based `frame` and steps of brightness and contrast, each from -MAX_TONE_STEPS to MAX_TONE_STEPS; others ignore
 * them. Throws `notInScope`, and `fileMissing` also for an infected file.
 */
export const downloadPreview = read({
  name: "downloadPreview",
  permission: "referral.read",
  input: oneFile.extend({
    size: z.enum(["thumb", "view", "full"]).catch("thumb"),
    frame: wholeNumber.min(0).max(99_999).optional().catch(undefined),
    brightness: toneStep,
    contrast: toneStep,
  }),
  async run({ db, actor, portal, auditRead }, { referralId, fileId, size, frame, brightness, contrast }) {
    const file = await fileInScope(db, actor, referralId, fileId);
    auditRead([referralId]);
    const { storageKey, sha256, mime } = file;
    const ofDicom =
      mime !== DICOM_MIME
        ? {}
        : {
            frame,
            ...(brightness || contrast ? { tone: { brightness, contrast } } : {}),
          };
    const requestedBy = turnOf(actor);
    const preview = await portal.previews.makePreview({ storageKey, sha256, mime, size, requestedBy, ...ofDicom });
    if ("failed" in preview) return sheetFor(preview.failed);
    return {
      fileName: `${size}-${fileId}.jpg`,
      mime: preview.mime,
      disposition: "inline" as const,
      open: () => createReadStream(preview.path),
    };
  },
});

const turnOf = (actor: Actor) => (hasAccount(actor) ? turnOfPerson(actor.id) : actor.kind);

function sheetFor(reason: NoPreviewReason) {
  return {
    fileName: "ingen-forhaandsvisning.svg",
    mime: "image/svg+xml",
    disposition: "inline" as const,
    open: () => Readable.from([noPreviewPicture(noPreviewTexts[reason])]),
  };
}

import { z } from "zod";
import type { Db, DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { change, external, read, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { archiveLimits, isArchive } from "~/files/archive/archive-rules";
import { sanitiseFileName } from "~/files/file-name";
import { arrivedType, fileKinds } from "~/files/file-rules";
import { refusalText } from "~/files/file-texts";
import { removePartial, receivedBytes } from "~/files/staging/upload-part-store.server";
import {
  cancelUnfinished,
  countUnfinished,
  findPartial,
  insertPartial,
  unfinishedLimits,
  updatePartialTypes,
} from "~/files/staging/partial-upload-store.server";
import {
  discardStaged,
  findStagedImage,
  updateStagedTakenOn,
  updateStagedType,
  findStagedFiles,
} from "~/files/staging/staged-upload-store.server";
import { freeBytesHere, ROOM_LEFT_BYTES } from "~/files/staging/upload-quota.server";
import { filePaths } from "~/features/referrals/file-paths";
import { settleLine } from "~/features/referrals/material/answer-material.server";
import { settleRemoval } from "~/features/referrals/sending/operations.server";
import { findAwaitedSending, findDraftOfForm } from "../store/wizard-store.server";
import { findLineOf } from "~/features/referrals/store/material-store.server";
import { findFile } from "~/features/referrals/store/referral-file-store.server";
import { findSentOrDraft, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { typeError } from "./attach-radiographs.server";
import {
  dateRadiographs,
  exposureDay,
  radiographType,
  retypeRadiograph,
  typedExposure,
  wholeSeries,
} from "./change-radiographs.server";
import { nameOfImage, seriesOfFile } from "./series";

/** Copies on the disk while an upload is assembled: its parts, and the whole file. */
const COPIES = 2;

export const oneUpload = z.object({ uploadId: z.string().regex(/^[0-9a-f]{32}$/) });

/**
 * Begins an upload in parts (tus) for a referral, or for step 1 before it is saved. Everything that can be refused is
 * refused before a byte arrives. Repeating a `formKey` gives the same upload; `to` is its address. Throws `notInScope`,
 * `fileRefused`, `fileTooLarge`, `tooManyUploads` and `storeFull`.
 */
export const beginRadiographUpload = external({
  name: "beginRadiographUpload",
  permission: "referral.write",
  idempotent: true,
  input: z
    .object({
      referralId: wholeNumber.optional(),
      ofForm: z
        .string()
        .regex(/^[\w-]{8,64}$/)
        .optional(),
      formKey: z.string().min(8).max(64),
      radiographType,
      materialLineId: wholeNumber.optional(),
      fileName: z.string().min(1).max(2000).transform(sanitiseFileName),
      sizeBytes: wholeNumber.min(0),
      lastModified: wholeNumber.min(0).max(8.64e15).catch(0),
    })
    .refine(({ referralId, ofForm }) => referralId !== undefined || ofForm !== undefined),
  async prepare({ db, person, portal }, { sizeBytes, fileName, radiographType: type, ...of }) {
    await findTarget(db, person, of);
    const error = isArchive(fileName) ? null : typeError(fileName, arrivedType(fileName, type));
    if (error !== null) throw new Refusal("fileRefused", { text: error });
    if (sizeBytes === 0) throw new Refusal("fileRefused", { text: refusalText("empty", "radiograph") });
    if (sizeBytes > fileKinds.radiograph.maxBytes)
      throw new Refusal("fileTooLarge", { text: refusalText("tooLarge", "radiograph") });
    const { freeBytes = Infinity } = await portal.files.check();
    const room = Math.min(freeBytes, await freeBytesHere(portal.config.dataDir));
    const unpacked = isArchive(fileName) ? archiveLimits.bytes : 0;
    if (room < COPIES * sizeBytes + unpacked + ROOM_LEFT_BYTES) throw new Refusal("storeFull");
  },
  async run(
    { tx, person, now, auditChange },
    { radiographType: type, fileName, sizeBytes, lastModified, materialLineId, ...of },
  ) {
    const { uploads, bytes } = await countUnfinished(tx, person.id);
    if (uploads >= unfinishedLimits.uploads || bytes + sizeBytes > unfinishedLimits.bytes)
      throw new Refusal("tooManyUploads");
    const target = await findTarget(tx, person, of);
    const isWaitedFor = target !== null && (await findAwaitedSending(tx, target.id)) !== null;
    const id = await insertPartial(
      tx,
      {
        ownerId: person.id,
        referralId: target?.id ?? null,
        formKey: target ? null : of.ofForm!,
        radiographType: arrivedType(fileName, type),
        fileName,
        sizeBytes,
        lastModified,
        awaitedSince: isWaitedFor ? now : null,
        materialLineId: target && materialLineId !== undefined ? await findLineOf(tx, target.id, materialLineId) : null,
      },
      now,
    );
    auditChange(target ? [target.id] : [], `upload ${id}`);
    return { to: filePaths.upload(id) };
  },
});

/** The upload's referral; null while its form is unsaved. Throws `notInScope`. */
async function findTarget(
  db: DbOrTx,
  person: Person,
  { referralId, ofForm }: { referralId?: number; ofForm?: string },
): Promise<ReferralRow | null> {
  const id = referralId ?? (await findDraftOfForm(db, person, ofForm!));
  return id === null ? null : findSentOrDraft(db, person, id);
}

/** A person's own upload in scope and its received bytes. Throws `notInScope`. */
export const readRadiographUpload = read({
  name: "readRadiographUpload",
  permission: "referral.write",
  input: oneUpload,
  async run({ db, person }, { uploadId }) {
    const { upload } = await findOwnUpload(db, person, uploadId);
    return {
      ...upload,
      received: upload.state === "arriving" ? await receivedBytes(db, uploadId) : upload.sizeBytes,
    };
  },
});

/** Changes the type or day of exposure of an upload of one's own. Throws `notInScope` and `fileRefused`. */
export const setUploadType = change({
  name: "setUploadType",
  permission: "referral.write",
  input: oneUpload.extend({ radiographType: radiographType.optional(), ...typedExposure }),
  async run(context, { uploadId, radiographType: type, takenOn, asksTakenOn }) {
    const { tx, person, auditChange } = context;
    const { upload, referral } = await findOwnImage(tx, person, uploadId);
    auditChange(referral ? [referral.id] : [], `upload ${uploadId}`);
    const attached =
      referral === null || upload.referralFileId === null
        ? null
        : await findFile(tx, referral.id, upload.referralFileId);
    if (type !== undefined) {
      const error = isArchive(upload.fileName) ? null : typeError(upload.fileName, type);
      if (error !== null) throw new Refusal("fileRefused", { text: `${upload.fileName}: ${error}` });
      await updatePartialTypes(tx, [uploadId], type);
      await updateStagedType(tx, person.id, uploadId, type);
      if (referral && attached) await retypeRadiograph(context, referral, attached, type);
    }
    if (!asksTakenOn) return {};
    const day = exposureDay(context, upload, takenOn);
    if (referral && attached) await dateRadiographs(context, referral, [attached], day);
    else await updateStagedTakenOn(tx, person.id, uploadId, day);
    return {};
  },
});

/** Cancels an unfinished upload, with `wholeSeries` all its slices; bytes are deleted at once. Throws `notInScope`. */
export const cancelUpload = change({
  name: "cancelUpload",
  permission: "referral.write",
  input: oneUpload.extend({ wholeSeries }),
  async run(context, { uploadId, wholeSeries: isWhole }) {
    const { tx, person, portal, now, auditChange, afterCommit } = context;
    const { upload, referral } = await findOwnImage(tx, person, uploadId);
    const staged = upload.formKey === null ? [] : await findStagedFiles(tx, person.id, upload.formKey);
    const itself = staged.find(({ storageKey }) => storageKey === uploadId);
    const gone = itself && isWhole ? seriesOfFile(itself, staged) : itself ? [itself] : [];
    afterCommit(() => removePartial(portal, uploadId));
    await cancelUnfinished(tx, [{ id: uploadId }]);
    await discardStaged(tx, gone, now);
    auditChange(referral ? [referral.id] : [], `upload ${uploadId}`);
    if (referral && upload.materialLineId !== null) await settleLine(context, referral.id, upload.materialLineId);
    const isTakenBack = referral !== null && (await settleRemoval(context, referral));
    const text = `${nameOfImage({ ...upload, slices: gone.length })} er fjernet.${isTakenBack ? " Der er ingen filer tilbage, så henvisningen sendes ikke." : ""}`;
    return { flash: { tone: "info", text } };
  },
});

/** A person's own upload and the referral they may add it to; null while its form is unsaved. Throws `notInScope`. */
export async function findOwnUpload(db: Db | DbOrTx, person: Person, uploadId: string) {
  const upload = await findPartial(db, person.id, uploadId);
  if (upload === null) throw new Refusal("notInScope");
  return {
    upload,
    referral: upload.referralId === null ? null : await findSentOrDraft(db, person, upload.referralId),
  };
}

/** The same for an image that came with its form, which has no upload of its own. */
async function findOwnImage(db: DbOrTx, person: Person, uploadId: string) {
  const came = await findStagedImage(db, person.id, uploadId);
  if (came === null || (await findPartial(db, person.id, uploadId)) !== null)
    return findOwnUpload(db, person, uploadId);
  return { upload: { ...came, referralFileId: null, materialLineId: null }, referral: null };
}

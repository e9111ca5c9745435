import { z } from "zod";
import type { Db } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { change, execute, external, plainInput, read, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { sanitiseFileName } from "~/files/file-name";
import { arrivedType, fileKinds, refusalText } from "~/files/file-rules";
import { insertStoredFile } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import {
  cancelUnfinished,
  claimPartial,
  countUnfinished,
  findPartial,
  findUnfinished,
  insertPartial,
  mostUnfinished,
  type PartialUpload,
  recordOutcome,
  removePartial,
  updatePartialType,
} from "~/files/staging/partial-upload-store.server";
import { freeBytesHere } from "~/files/staging/upload-quota.server";
import { countReceived, receivedBytes } from "~/files/staging/upload-part-store.server";
import { withWholeUpload } from "~/files/staging/upload-parts.server";
import { paths } from "~/paths";
import { radiographType } from "./add-radiographs.server";
import { attachRadiographs, findUploadTarget, typeFault } from "./attach-radiographs.server";
import { retypeRadiograph } from "./change-radiographs.server";
import { findFile, findFiles } from "~/features/referrals/store/referral-file-store.server";

/** Room that must be left on a disk beside the file. */
const ROOM_LEFT_BYTES = 200 * 1024 * 1024;
/** Its pieces, and the whole that is made of them. */
const COPIES = 2;

const oneUpload = z.object({ uploadId: z.string().regex(/^[0-9a-f]{32}$/) });

/**
 * Begins an image that arrives in parts (tus): who, for which referral, and what is to come. Everything that can be refused before a
 * byte has come is refused here. Sent twice with one `formKey` it is one upload; `to` is its address.
 *
 * Throws `notInScope`, `fileRefused`, `fileTooLarge`, `tooManyUploads` and `storeFull`.
 */
export const beginRadiographUpload = external({
  name: "beginRadiographUpload",
  permission: "referral.write",
  idempotent: true,
  input: z.object({
    referralId: z.coerce.number().int(),
    formKey: z.string().min(8).max(64),
    radiographType,
    fileName: z.string().min(1).max(2000).transform(sanitiseFileName),
    sizeBytes: z.coerce.number().int().min(0),
    lastModified: z.coerce.number().int().min(0).max(8.64e15).catch(0),
  }),
  async prepare({ db, person, portal }, { referralId, sizeBytes, fileName, radiographType: type }) {
    await findUploadTarget(db, person, referralId);
    const fault = typeFault(fileName, arrivedType(fileName, type));
    if (fault !== null) throw new Refusal("fileRefused", { text: fault });
    if (sizeBytes === 0) throw new Refusal("fileRefused", { text: refusalText("empty", "radiograph") });
    if (sizeBytes > fileKinds.radiograph.maxBytes)
      throw new Refusal("fileTooLarge", { text: refusalText("tooLarge", "radiograph") });
    const { freeBytes = Infinity } = await portal.files.check();
    const room = Math.min(freeBytes, await freeBytesHere(portal.config.dataDir));
    if (room < COPIES * sizeBytes + ROOM_LEFT_BYTES) throw new Refusal("storeFull");
  },
  async run({ tx, person, now, auditChange }, { referralId, radiographType: type, fileName, sizeBytes, lastModified }) {
    const { uploads, bytes } = await countUnfinished(tx, person.id);
    if (uploads >= mostUnfinished.uploads || bytes + sizeBytes > mostUnfinished.bytes)
      throw new Refusal("tooManyUploads");
    const target = await findUploadTarget(tx, person, referralId);
    const id = await insertPartial(
      tx,
      {
        ownerId: person.id,
        referralId: target.id,
        radiographType: arrivedType(fileName, type),
        fileName,
        sizeBytes,
        lastModified,
      },
      now,
    );
    auditChange([referralId], `upload ${id}`);
    return { to: paths.upload(id) };
  },
});

/** One's own upload, while its referral is in scope, and how much of it has come. Throws `notInScope`. */
export const readRadiographUpload = read({
  name: "readRadiographUpload",
  permission: "referral.write",
  input: oneUpload,
  async run({ db, person }, { uploadId }) {
    const upload = await findOwnUpload(db, person, uploadId);
    return {
      ...upload,
      received: upload.state === "arriving" ? await receivedBytes(db, uploadId) : upload.sizeBytes,
    };
  },
});

/**
 * Makes an upload that has come whole an image of its referral, exactly once: what it truly is, a virus scan and the DICOM header come
 * first (storeUpload). Asked again it answers the same. Answers in `data` `fileId`, or `refused` with the reason in Danish.
 */
export const finishRadiographUpload = external({
  name: "finishRadiographUpload",
  permission: "referral.write",
  input: oneUpload,
  async prepare({ db, person, portal }, { uploadId }) {
    // The bytes are counted before the row is read: who removes them has changed the row first.
    const received = await receivedBytes(db, uploadId);
    const upload = await findOwnUpload(db, person, uploadId);
    if (upload.state !== "arriving") return { upload, result: null };
    if (received !== upload.sizeBytes) throw new Refusal("uploadBroken");
    try {
      // Kept under the upload's own name: a crash before the commit leaves its pieces, to be finished again.
      const result = await withWholeUpload(portal, uploadId, (whole) =>
        storeUpload(portal, whole, upload.fileName, "radiograph", { storageKey: uploadId }),
      );
      return { upload, result };
    } catch (error) {
      // Another process has finished it meanwhile, and taken the pieces away.
      const now = await findOwnUpload(db, person, uploadId);
      if (now.state !== "arriving") return { upload: now, result: null };
      throw error;
    }
  },
  async run({ tx, actor, person, now, outbox, portal, auditChange, afterCommit }, { uploadId }, { result }) {
    afterCommit(() => removePartial(portal, uploadId));
    const isFirst = result !== null && (await claimPartial(tx, uploadId));
    const upload = await findPartial(tx, person.id, uploadId);
    if (!isFirst || !upload) return { data: upload ? outcomeOf(upload) : UPLOAD_GONE };
    const referral = await findUploadTarget(tx, person, upload.referralId).catch(() => null);
    if (!referral) {
      await recordOutcome(tx, { ...upload, state: "refused", refusal: UPLOAD_GONE.refused });
      return { data: UPLOAD_GONE };
    }
    const kept =
      "kept" in result ? { storedFileId: await insertStoredFile(tx, result.kept, now), ...result.kept } : null;
    const [outcome] = kept
      ? await attachRadiographs({ tx, actor, person, now, outbox, portal }, referral, [
          { ...kept, radiographType: upload.radiographType },
        ])
      : [];
    const refusal = "refused" in result ? result.refused : (outcome?.refused ?? null);
    const file =
      refusal === null
        ? (await findFiles(tx, referral.id)).find(({ storageKey }) => storageKey === kept?.storageKey)
        : undefined;
    const settled = {
      ...upload,
      state: refusal === null ? ("kept" as const) : ("refused" as const),
      refusal,
      referralFileId: file?.id ?? null,
    };
    await recordOutcome(tx, settled);
    auditChange([referral.id], `upload ${uploadId}`);
    return { data: outcomeOf(settled) };
  },
});

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

const UPLOAD_GONE = { refused: "Henvisningen findes ikke længere." };

/** Gives another type to an upload that is still arriving. Throws `notInScope` and `fileRefused`. */
export const setUploadType = change({
  name: "setUploadType",
  permission: "referral.write",
  input: oneUpload.extend({ radiographType }),
  async run(context, { uploadId, radiographType: type }) {
    const { tx, person } = context;
    const upload = await findOwnUpload(tx, person, uploadId);
    const fault = typeFault(upload.fileName, type);
    if (fault !== null) throw new Refusal("fileRefused", { text: `${upload.fileName}: ${fault}` });
    await updatePartialType(tx, uploadId, type);
    // It may have arrived while the choice was on its way.
    const file = upload.referralFileId === null ? null : await findFile(tx, upload.referralId, upload.referralFileId);
    if (file !== null)
      await retypeRadiograph(context, await findUploadTarget(tx, person, upload.referralId), file, type);
    return {};
  },
});

/** Gives up an upload that is still arriving; its bytes are gone at once. Throws `notInScope`. */
export const cancelUpload = change({
  name: "cancelUpload",
  permission: "referral.write",
  input: oneUpload,
  async run({ tx, person, portal, auditChange, afterCommit }, { uploadId }) {
    const { fileName, referralId } = await findOwnUpload(tx, person, uploadId);
    afterCommit(() => removePartial(portal, uploadId));
    await cancelUnfinished(tx, [{ id: uploadId }]);
    auditChange([referralId], `upload ${uploadId}`);
    return { flash: { tone: "info" as const, text: `${fileName} er fjernet.` } };
  },
});

/** A person's own upload whose referral they may still add images to. Throws `notInScope`. */
async function findOwnUpload(db: Db, person: Person, uploadId: string) {
  const upload = await findPartial(db, person.id, uploadId);
  if (upload === null) throw new Refusal("notInScope");
  const { id: referralId } = await findUploadTarget(db, person, upload.referralId);
  return { ...upload, referralId };
}

function outcomeOf({ state, referralFileId, refusal }: PartialUpload) {
  return state === "kept" ? { fileId: referralFileId } : { refused: refusal ?? "" };
}

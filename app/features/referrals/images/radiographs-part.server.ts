import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { findOwnUploads, type PartialUpload } from "~/files/staging/partial-upload-store.server";
import { findStagedFiles } from "~/files/staging/staged-upload-store.server";
import { countReceived } from "~/files/staging/upload-part-store.server";
import type { Portal } from "~/portal.server";
import { mayRetype } from "./change-radiographs.server";
import type { ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** An image that has come for a form that is not saved yet. */
interface StagedImage {
  fileName: string;
  sizeBytes: number;
  type: number;
  /** The upload that it came by. */
  uploadId: string;
}

/**
 * The images of a referral as its upload part shows them, and what the person has begun to upload and not finished: after a reload the
 * browser knows nothing of it.
 */
export async function radiographsPart(
  { db, portal, person }: { db: DbOrTx; portal: Portal; person: Person },
  row: ReferralRow,
  files: readonly ReferralFile[],
) {
  const isOfAnother = isOfAnotherPatient(portal.secrets, row);
  const uploads = await findOwnUploads(db, person.id, { referralId: row.id });
  const uploadOf = new Map(uploads.map(({ id, referralFileId }) => [referralFileId, id]));
  return {
    images: files
      .filter((file) => file.kind === "radiograph")
      .map((file) => ({
        id: file.id,
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        type: file.radiographType ?? 0,
        isScanned: file.scanState === "clean",
        isOfAnother: isOfAnother(file),
        mayRetype: mayRetype(person, file),
        /** The upload of the person's own that it came by, as long as that is known. */
        uploadId: uploadOf.get(file.id) ?? null,
      })),
    unfinished: await unfinishedOf(db, uploads),
    stagedImages: [] as StagedImage[],
  };
}

/** The same of step 1 before it is saved: what has come for its form, and what has not come whole. */
export async function formImagesPart({ db, person }: { db: DbOrTx; person: Person }, formKey: string) {
  const uploads = await findOwnUploads(db, person.id, { formKey });
  const staged = (await findStagedFiles(db, person.id, formKey)).filter(({ kind }) => kind === "radiograph");
  return {
    images: [] as Awaited<ReturnType<typeof radiographsPart>>["images"],
    unfinished: await unfinishedOf(db, uploads),
    stagedImages: staged.map(({ fileName, sizeBytes, radiographType, storageKey }) => ({
      fileName,
      sizeBytes,
      type: radiographType ?? 0,
      uploadId: storageKey,
    })),
  };
}

async function unfinishedOf(db: DbOrTx, uploads: readonly PartialUpload[]) {
  const unfinished = uploads.filter(({ state }) => state === "arriving");
  const received = await countReceived(
    db,
    unfinished.map(({ id }) => id),
  );
  return unfinished.map(({ id, fileName, sizeBytes, lastModified, radiographType }) => ({
    id,
    fileName,
    sizeBytes,
    lastModified,
    type: radiographType,
    receivedBytes: received.get(id) ?? 0,
  }));
}

/** Whether a DICOM header names another CPR number than the referral's; a file kept under the former key counts as one's own. */
export function isOfAnotherPatient(
  secrets: Secrets,
  row: ReferralRow,
): (file: Pick<ReferralFile, "dicomCprHash">) => boolean {
  const cpr = sealedCpr.open(secrets, row);
  const ownHashes = cpr === null ? [] : secrets.lookups("cpr", cpr);
  return ({ dicomCprHash }) => dicomCprHash !== null && !ownHashes.includes(dicomCprHash);
}

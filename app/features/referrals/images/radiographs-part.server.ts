import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { isArchive } from "~/files/archive/archive-rules";
import { scanFactsOf } from "~/files/scan-gaps";
import { findOwnUploads, type PartialUpload } from "~/files/staging/partial-upload-store.server";
import { findStagedFiles } from "~/files/staging/staged-upload-store.server";
import { countReceived } from "~/files/staging/upload-part-store.server";
import type { Portal } from "~/portal.server";
import { mayRetype } from "./change-radiographs.server";
import { bySeries, middleOf } from "./series";
import type { ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** An image of a form that is not saved yet. */
interface StagedImage extends Line {
  type: number;
  uploadId: string;
  uploadIds: string[];
}

interface Line {
  fileName: string;
  sizeBytes: number;
  slices: number;
}

const lineOf = (group: [Sized, ...Sized[]]): Line => ({
  fileName: middleOf(group).fileName,
  sizeBytes: group.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  slices: group.length,
});

type Sized = Pick<ReferralFile, "fileName" | "sizeBytes">;

/**
 * A referral's images for its upload part, with the person's unfinished uploads, which the browser forgets on reload.
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
    images: bySeries(files.filter((file) => file.kind === "radiograph")).map((group) => ({
      id: middleOf(group).id,
      ...lineOf(group),
      type: middleOf(group).radiographType ?? 0,
      ...scanFactsOf(
        group.map(({ scanState }) => scanState),
        can(person, "referral.readInternal"),
      ),
      isOfAnother: group.some(isOfAnother),
      mayRetype: group.every((file) => mayRetype(person, file)),
      /** The person's own uploads of this image, while known. */
      uploadIds: group.flatMap(({ id }) => uploadOf.get(id) ?? []),
    })),
    unfinished: await unfinishedOf(db, uploads),
    archives: archivesIn(uploads),
    stagedImages: [] as StagedImage[],
  };
}

/** The same for step 1 before it is saved. */
export async function formImagesPart({ db, person }: { db: DbOrTx; person: Person }, formKey: string) {
  const uploads = await findOwnUploads(db, person.id, { formKey });
  const staged = (await findStagedFiles(db, person.id, formKey)).filter(({ kind }) => kind === "radiograph");
  return {
    images: [] as Awaited<ReturnType<typeof radiographsPart>>["images"],
    unfinished: await unfinishedOf(db, uploads),
    archives: archivesIn(uploads),
    stagedImages: bySeries(staged).map((group) => ({
      ...lineOf(group),
      type: middleOf(group).radiographType ?? 0,
      uploadId: middleOf(group).storageKey,
      uploadIds: group.map(({ storageKey }) => storageKey),
    })),
  };
}

function archivesIn(uploads: readonly PartialUpload[]) {
  const unpacked = uploads.filter(({ archiveId }) => archiveId !== null);
  return uploads
    .filter(({ fileName, state }) => isArchive(fileName) && state !== "arriving")
    .map(({ id, fileName }) => ({
      id,
      fileName,
      refused: unpacked.flatMap(({ archiveId, fileName: name, refusal }) =>
        archiveId === id && refusal !== null ? [{ fileName: name, text: refusal }] : [],
      ),
    }));
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

/** Whether a DICOM header names another CPR number; hashes under the former key count as equal. */
export function isOfAnotherPatient(
  secrets: Secrets,
  row: ReferralRow,
): (file: Pick<ReferralFile, "dicomCprHash">) => boolean {
  const cpr = sealedCpr.open(secrets, row);
  const ownHashes = cpr === null ? [] : secrets.lookups("cpr", cpr);
  return ({ dicomCprHash }) => dicomCprHash !== null && !ownHashes.includes(dicomCprHash);
}

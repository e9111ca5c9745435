import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { z } from "zod";
import type { PatientToken } from "~/access/actor";
import { read, type ReadContext, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { DICOM_MIME } from "~/files/file-rules";
import { asciiFileName } from "~/files/file-name";
import { noPreviewPicture } from "~/files/previews/preview.server";
import { noPreviewTexts } from "~/files/previews/preview-result";
import { zipOf } from "~/streams/zip.server";
import type { ByteRange } from "~/gateways/file-store/port";
import type { LinkedFile } from "~/features/referrals/details/linked-radiographs.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { filesOfLink } from "./queue-patient-link.server";
import type { FileLinkPurpose } from "./store.server";

async function filesOfCaller(
  { db, portal, actor, auditRead }: ReadContext,
  purpose: FileLinkPurpose,
): Promise<LinkedFile[]> {
  const { referralId, letterNumber } = actor as PatientToken;
  const row = await findReferral(db, actor, referralId).catch(() => null);
  // A deleted referral's links are invalid.
  if (row === null || row.deletedAt !== null) throw new Refusal("linkExpired");
  auditRead([referralId], letterNumber === null ? purpose : `${purpose}, letter ${letterNumber}`);
  return filesOfLink(db, portal.secrets, row, { purpose, letterNumber });
}

const ofFile = z.object({ fileId: wholeNumber.positive() });

async function oneFile(context: ReadContext, fileId: number): Promise<LinkedFile> {
  const file = (await filesOfCaller(context, "radiographLink")).find(({ id }) => id === fileId);
  if (!file) throw new Refusal("fileMissing");
  return file;
}

/** The page of a radiograph link. Throws `linkExpired`. */
export const readLinkedRadiographs = read({
  name: "readLinkedRadiographs",
  permission: "patient.radiographLink",
  async run(context) {
    const files = await filesOfCaller(context, "radiographLink");
    const { clinicName } = await readLetterhead(context.db, context.portal.config);
    return {
      clinicName,
      files: files.map(({ id, fileName, sizeBytes, mime }) => ({
        id,
        fileName,
        sizeBytes,
        isDicom: mime === DICOM_MIME,
      })),
    };
  },
});

/** One file, unchanged. Throws `linkExpired` and `fileMissing`. */
export const downloadLinkedRadiograph = read({
  name: "downloadLinkedRadiograph",
  permission: "patient.radiographLink",
  input: ofFile,
  async run(context, { fileId }) {
    const { fileName, mime, sizeBytes, sha256, storageKey } = await oneFile(context, fileId);
    return {
      fileName,
      mime,
      sizeBytes,
      etag: sha256,
      disposition: "attachment" as const,
      open: (range?: ByteRange) => context.portal.files.openRead(storageKey, range),
    };
  },
});

/** A DICOM file as a picture, because phones cannot open DICOM. Throws `linkExpired` and `fileMissing`. */
export const downloadLinkedPicture = read({
  name: "downloadLinkedPicture",
  permission: "patient.radiographLink",
  input: ofFile,
  async run(context, { fileId }) {
    const { mime, sha256, storageKey } = await oneFile(context, fileId);
    const { previews } = context.portal;
    const requestedBy = `link ${(context.actor as PatientToken).referralId}`;
    const picture = await previews.makePreview({ storageKey, sha256, mime, size: "view", requestedBy });
    if ("failed" in picture)
      return {
        fileName: "ingen-forhaandsvisning.svg",
        mime: "image/svg+xml",
        disposition: "inline" as const,
        open: () => Readable.from([noPreviewPicture(noPreviewTexts[picture.failed])]),
      };
    return {
      fileName: `billede-${fileId}.jpg`,
      mime: picture.mime,
      disposition: "inline" as const,
      open: () => createReadStream(picture.path),
    };
  },
});

/** 'Alle filer - ZIP', named after the clinic. Names inside are ASCII, because old phones cannot read others. */
async function zipFor(context: ReadContext, purpose: FileLinkPurpose) {
  const files = await filesOfCaller(context, purpose);
  if (files.length === 0) throw new Refusal("fileMissing");
  const { clinicName } = await readLetterhead(context.db, context.portal.config);
  return {
    fileName: `${clinicName}.zip`,
    mime: "application/zip",
    disposition: "attachment" as const,
    open: () =>
      zipOf(
        files.map(({ fileName, storageKey }) => ({
          fileName: asciiFileName(fileName),
          open: () => context.portal.files.openRead(storageKey),
        })),
      ),
  };
}

/** All files of a radiograph link. Throws `linkExpired`, and `fileMissing` if there are none. */
export const downloadLinkedRadiographs = read({
  name: "downloadLinkedRadiographs",
  permission: "patient.radiographLink",
  run: (context) => zipFor(context, "radiographLink"),
});

/** The page of a letter link; shows only whether the letter exists. Throws `linkExpired`. */
export const readLinkedLetter = read({
  name: "readLinkedLetter",
  permission: "patient.letterFilesLink",
  async run(context) {
    const files = await filesOfCaller(context, "letterFilesLink");
    const { clinicName } = await readLetterhead(context.db, context.portal.config);
    return { clinicName, hasFiles: files.length > 0 };
  },
});

/** A link's letter with its images. Throws `linkExpired`, and `fileMissing` if deleted. */
export const downloadLinkedLetter = read({
  name: "downloadLinkedLetter",
  permission: "patient.letterFilesLink",
  run: (context) => zipFor(context, "letterFilesLink"),
});

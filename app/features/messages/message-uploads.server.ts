import { type ReceivedFiles, refusedFileTexts } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { arrivedType, isMistyped, uploadOf } from "~/files/file-rules";
import { WRONG_TYPE_TEXT } from "~/files/file-texts";
import type { StagedFile } from "~/files/staging/staged-upload-store.server";
import type { TypedRadiograph } from "~/features/referrals/images/read-images.server";

export const attachmentUploads = { attachments: uploadOf("attachment") };

export const messageUploads = {
  ...attachmentUploads,
  radiographs: uploadOf("radiograph"),
};

/** Throws `fileRefused` naming each refused file; the others stay with the form. */
export function refuseBadFiles(files: ReceivedFiles | undefined): void {
  const fields = refusedFileTexts(files);
  if (Object.keys(fields).length > 0)
    throw new Refusal("fileRefused", { text: Object.values(fields).flat().join(" "), fields });
}

/**
 * Assigns radiograph types in the order the files were chosen; files without one get the first. Files kept from an
 * earlier try come first and have lost theirs. Throws `fileRefused` for a picture chosen as DICOM; the file stays with
 * the form.
 */
export function typeRadiographs(files: StagedFile[], types: number[], arrived: number): TypedRadiograph[] {
  const waited = files.length - arrived;
  const chosen = files.map((file, index) => ({
    ...file,
    radiographType: index < waited ? 0 : (types[index - waited] ?? types[0] ?? 0),
  }));
  const wrong = chosen.filter(({ fileName, radiographType }) => isMistyped(fileName, radiographType));
  if (wrong.length > 0) {
    const texts = wrong.map((file) => `${file.fileName}: ${WRONG_TYPE_TEXT} Vælg en anden billedtype.`);
    throw new Refusal("fileRefused", { text: texts.join(" "), fields: { radiographs: texts } });
  }
  return chosen.map((file) => ({ ...file, radiographType: arrivedType(file.fileName, file.radiographType) }));
}

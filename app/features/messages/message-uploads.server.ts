import { type ReceivedFiles, refusedFileTexts } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { allowedExtensions, extensionOf, fileKinds, type RadiographType, WRONG_TYPE_TEXT } from "~/features/images/file-rules";
import type { HeldFile } from "~/features/images/held-uploads.server";
import type { TypedRadiograph } from "~/features/referrals/message-files.server";

/** 'Andre filer' of a message. */
export const attachmentUploads = { attachments: { kind: "attachment" as const, maxBytes: fileKinds.attachment.maxBytes, maxFiles: 20 } };

/** Both kinds that a new message may bring. */
export const messageUploads = {
  ...attachmentUploads,
  radiographs: { kind: "radiograph" as const, maxBytes: fileKinds.radiograph.maxBytes, maxFiles: 40 },
};

/** Throws `fileRefused` with each refused file by name; the good ones go on waiting for the form. */
export function refuseBadFiles(files: ReceivedFiles | undefined): void {
  const fields = refusedFileTexts(files);
  if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { text: Object.values(fields).flat().join(" "), fields });
}

/**
 * Gives each radiograph its type, in the order the files were chosen; the first type is that of all without one of their own. Files
 * that waited since an earlier try come first and have lost theirs. Throws `fileRefused` when a type does not take a file's extension.
 */
export function typeRadiographs(files: HeldFile[], types: number[], arrived: number): TypedRadiograph[] {
  const waited = files.length - arrived;
  const typed = files.map((file, index) => ({ ...file, radiographType: index < waited ? standardType(file) : (types[index - waited] ?? types[0] ?? standardType(file)) }));
  const wrong = typed.filter((file) => !(allowedExtensions("radiograph", file.radiographType as RadiographType) as readonly string[]).includes(extensionOf(file.fileName) ?? ""));
  if (wrong.length > 0) {
    const texts = wrong.map((file) => `${file.fileName}: ${WRONG_TYPE_TEXT} Vælg en anden billedtype.`);
    throw new Refusal("fileRefused", { text: texts.join(" "), fields: { radiographs: texts } });
  }
  return typed;
}

const DICOM = 4;
const standardType = (file: HeldFile) => (extensionOf(file.fileName) === "dcm" ? DICOM : 0);

import { sanitiseFileName } from "~/files/file-name";
import { extensionOf, fileKinds } from "~/files/file-rules";
import type { NewStoredFile } from "~/files/stored-file-store.server";
import { storeUpload } from "~/files/store-upload.server";
import type { WrittenObject } from "~/features/edi/reading/edi-job";
import type { Portal } from "~/portal.server";

export interface JudgedObject {
  objectId: string;
  fileName: string;
  accepted: NewStoredFile | null;
  refused: string | null;
}

const pictures: readonly string[] = fileKinds.radiograph.extensions;
const taken = [...new Set<string>([...pictures, ...fileKinds.journal.extensions])];
const WRONG_TYPE = `Denne filtype er ikke godkendt. Tilladte filtyper: ${taken.join(", ")}.`;

export const kindOf = (fileName: string) =>
  pictures.includes(fileName.slice(fileName.lastIndexOf(".") + 1)) ? ("radiograph" as const) : ("journal" as const);

/** Checks a letter's files by the upload rules and stores the accepted ones; refused ones get a reason. */
export async function storeObjects(portal: Portal, objects: readonly WrittenObject[]): Promise<JudgedObject[]> {
  const judged: JudgedObject[] = [];
  for (const [index, { objectId, extension, path }] of objects.entries()) {
    const name = `EDI-bilag ${index + 1}.${extension}`;
    if (!taken.includes(extensionOf(name) ?? "")) {
      judged.push({ objectId, fileName: sanitiseFileName(name), accepted: null, refused: WRONG_TYPE });
      continue;
    }
    const result = await storeUpload(portal, path, name, kindOf(name));
    judged.push(
      "accepted" in result
        ? { objectId, fileName: result.accepted.fileName, accepted: result.accepted, refused: null }
        : { objectId, fileName: result.fileName, accepted: null, refused: result.refused },
    );
  }
  return judged;
}

import { createHash } from "node:crypto";
import type { FileStore } from "~/gateways/file-store/port";
import type { NewStoredFile } from "./stored-file-store.server";

export const storeLetter = ({ files }: { files: FileStore }, { name, pdf }: { name: string; pdf: Buffer }) =>
  storeMade(files, name, "application/pdf", pdf);

export const storeLogo = ({ files }: { files: FileStore }, fileName: string, jpeg: Buffer) =>
  storeMade(files, `${fileName.replace(/\.[^.]*$/, "")}.jpg`, "image/jpeg", jpeg);

async function storeMade(files: FileStore, fileName: string, mime: string, made: Buffer): Promise<NewStoredFile> {
  return {
    storageKey: await files.put(bytes(made)),
    fileName,
    mime,
    sizeBytes: made.length,
    sha256: createHash("sha256").update(made).digest("hex"),
    scanState: "clean",
    dicomCprHash: null,
    dicomFactsEncrypted: null,
  };
}

async function* bytes(made: Buffer) {
  yield made;
}

import { createHash } from "node:crypto";
import type { FileStore } from "~/gateways/file-store/port";
import type { StoredFile } from "./staging/staged-upload-store.server";

/** Keeps a PDF that the portal has made. Throws `StoreFull`. */
export async function storeLetter(
  { files }: { files: FileStore },
  { name, pdf }: { name: string; pdf: Buffer },
): Promise<StoredFile> {
  return {
    storageKey: await files.put(bytes(pdf)),
    fileName: name,
    mime: "application/pdf",
    sizeBytes: pdf.length,
    sha256: createHash("sha256").update(pdf).digest("hex"),
    scanState: "clean",
    dicomCprHash: null,
    dicomFactsEncrypted: null,
  };
}

async function* bytes(pdf: Buffer) {
  yield pdf;
}

import type { DbOrTx } from "~db/connection.server";
import { findStagedFiles, readStagedFile } from "~/files/staging/staged-upload-store.server";
import type { FileStore } from "~/gateways/file-store/port";

/** The file field of an import of clinics or referrers. */
export const DIRECTORY_FIELD = "DirectoryFile";

/** A person's file that waits under a form's key, read whole; null when it has gone, or was never there. */
export async function readImportFile(
  db: DbOrTx,
  files: FileStore,
  ownerId: number,
  formKey: string,
): Promise<{ fileName: string; bytes: Buffer } | null> {
  const file = (await findStagedFiles(db, ownerId, formKey, DIRECTORY_FIELD)).at(-1);
  return file ? { fileName: file.fileName, bytes: await readStagedFile(db, files, file) } : null;
}

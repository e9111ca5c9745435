import { discardStoredFiles } from "~/files/stored-file-store.server";
import type { Tx } from "~db/connection.server";
import { clearFile, findFilesBefore } from "./store/edi-file-store.server";
import { clearMessages } from "./store/edi-message-store.server";
import { deleteLooseObjects } from "./store/edi-object-store.server";

/**
 * Removes old files and message contents. Rows stay, so that repeated letters are recognised. Files that something
 * waits for stay.
 */
export async function removeEdi(tx: Tx, before: Date): Promise<void> {
  for (const { id, stored_file_id: storedFileId } of await findFilesBefore(tx, before)) {
    const loose: number[] = [];
    for (const messageId of await clearMessages(tx, id)) loose.push(...(await deleteLooseObjects(tx, messageId)));
    await clearFile(tx, id);
    await discardStoredFiles(tx, [...loose, ...(storedFileId === null ? [] : [storedFileId])], before);
  }
}

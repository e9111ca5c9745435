import type { DbOrTx } from "~db/connection.server";

/** Where the file that a setting names is stored. */
export async function findLogoFile(db: DbOrTx, storedFileId: number) {
  return db
    .selectFrom("stored_file")
    .select(["storage_key as storageKey", "file_name as name", "sha256", "mime"])
    .where("id", "=", storedFileId)
    .executeTakeFirst();
}

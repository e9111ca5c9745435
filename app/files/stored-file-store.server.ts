import type { DbOrTx, Tx } from "~db/connection.server";

export interface StoredFile {
  id: number;
  fileName: string;
  mime: string;
  sizeBytes: number;
  sha256: string;
  storageKey: string;
  /** What the virus scan said: an infected file is served to nobody. */
  scanState: string;
}

/** Stored files in the order that their ids are given in; those that are gone are left out. */
export async function findStoredFiles(db: DbOrTx, ids: readonly number[]): Promise<StoredFile[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("stored_file")
    .select(["id", "file_name", "mime", "size_bytes", "sha256", "storage_key", "scan_state"])
    .where("id", "in", ids)
    .execute();
  const found = new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        fileName: row.file_name,
        mime: row.mime,
        sizeBytes: Number(row.size_bytes),
        sha256: row.sha256,
        storageKey: row.storage_key,
        scanState: row.scan_state,
      },
    ]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** What the bytes under a key must have, hexadecimal; null while no file has that key. */
export async function findSha256(db: DbOrTx, storageKey: string): Promise<string | null> {
  const file = await db
    .selectFrom("stored_file")
    .select("sha256")
    .where("storage_key", "=", storageKey)
    .limit(1)
    .executeTakeFirst();
  return file?.sha256 ?? null;
}

/** A file that gets a better name than it came with. */
export async function renameStoredFile(tx: Tx, id: number, fileName: string): Promise<void> {
  await tx.updateTable("stored_file").set({ file_name: fileName }).where("id", "=", id).execute();
}

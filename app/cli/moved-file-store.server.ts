import type { DbOrTx } from "~db/connection.server";

export interface MovedFile {
  storageKey: string;
  sha256: string;
}

export async function findFilesAfter(
  db: DbOrTx,
  after: number,
  limit: number,
): Promise<(MovedFile & { id: number })[]> {
  const rows = await db
    .selectFrom("stored_file")
    .select(["id", "storage_key", "sha256"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, storageKey: row.storage_key, sha256: row.sha256 }));
}

export async function findAllParts(db: DbOrTx): Promise<MovedFile[]> {
  const rows = await db.selectFrom("partial_upload_part").select(["storage_key", "sha256"]).execute();
  return rows.map((row) => ({ storageKey: row.storage_key, sha256: row.sha256 }));
}

export async function isStillKnown(db: DbOrTx, key: string): Promise<boolean> {
  const [file, part] = await Promise.all([
    db.selectFrom("stored_file").select("id").where("storage_key", "=", key).executeTakeFirst(),
    db.selectFrom("partial_upload_part").select("upload_id").where("storage_key", "=", key).executeTakeFirst(),
  ]);
  return file !== undefined || part !== undefined;
}

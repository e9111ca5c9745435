import type { DbOrTx, Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export function findFilesDue(db: DbOrTx, now: Date, limit: number) {
  return db
    .selectFrom("stored_file")
    .select(["id", "storage_key", "sha256"])
    .where("purge_after", "<=", toMoment(now))
    .limit(limit)
    .execute();
}

export async function hasDuplicate(db: DbOrTx, { id, sha256 }: { id: number; sha256: string }): Promise<boolean> {
  const duplicate = await db
    .selectFrom("stored_file")
    .select("id")
    .where("sha256", "=", sha256)
    .where("id", "!=", id)
    .limit(1)
    .executeTakeFirst();
  return duplicate !== undefined;
}

export async function deleteStoredFile(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("referral_file").where("stored_file_id", "=", id).execute();
  await tx.deleteFrom("stored_file").where("id", "=", id).execute();
}

/** Hashes that belong to a known file. */
export async function findKnownHashes(db: DbOrTx, hashes: string[]): Promise<Set<string>> {
  const found = await db.selectFrom("stored_file").select("sha256").where("sha256", "in", hashes).execute();
  return new Set(found.map(({ sha256 }) => sha256));
}

/** Keys of known files, unfinished uploads and their parts. */
export async function findKnownKeys(db: DbOrTx, keys: string[]): Promise<Set<string>> {
  const stored = await db
    .selectFrom("stored_file")
    .select("storage_key as key")
    .where("storage_key", "in", keys)
    .execute();
  const arriving = await db.selectFrom("partial_upload").select("id as key").where("id", "in", keys).execute();
  const parts = await db
    .selectFrom("partial_upload_part")
    .select("storage_key as key")
    .where("storage_key", "in", keys)
    .execute();
  return new Set([...stored, ...arriving, ...parts].map(({ key }) => key));
}

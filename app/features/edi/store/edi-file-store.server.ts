import { type DbOrTx, insertUnlessThere, type Tx } from "~db/connection.server";
import { sealedEdiFile } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

interface FileContent {
  /** Key of the encrypted file, Base64. */
  key: string;
  name: string;
}

export async function isFileKnown(db: DbOrTx, sha256: string): Promise<boolean> {
  const known = await db.selectFrom("edi_file").select("id").where("sha256", "=", sha256).executeTakeFirst();
  return known !== undefined;
}

/** Null if the same bytes were received before. */
export async function insertFile(
  tx: Tx,
  secrets: Secrets,
  file: { sha256: string; sizeBytes: number; storedFileId: number | null; content: FileContent },
  now: Date,
): Promise<number | null> {
  const isFirst = await insertUnlessThere(tx, "edi_file", {
    received_at: toMoment(now),
    sha256: file.sha256,
    size_bytes: file.sizeBytes,
    stored_file_id: file.storedFileId,
    ...sealedEdiFile.seal(secrets, JSON.stringify(file.content)),
  });
  if (!isFirst) return null;
  const { id } = await tx
    .selectFrom("edi_file")
    .select("id")
    .where("sha256", "=", file.sha256)
    .executeTakeFirstOrThrow();
  return id;
}

/** A message's stored file and key; null if removed or never stored. */
export async function findRawFile(
  db: DbOrTx,
  secrets: Secrets,
  fileId: number,
): Promise<{ storageKey: string; content: FileContent } | null> {
  const row = await db
    .selectFrom("edi_file")
    .innerJoin("stored_file", "stored_file.id", "edi_file.stored_file_id")
    .select(["stored_file.storage_key", "edi_file.row_key", "edi_file.content_encrypted"])
    .where("edi_file.id", "=", fileId)
    .executeTakeFirst();
  const content = row && row.content_encrypted !== "" ? sealedEdiFile.open(secrets, row) : null;
  return row && content !== null ? { storageKey: row.storage_key, content: JSON.parse(content) as FileContent } : null;
}

/** Rows per statement; the job repeats it. */
const BATCH_SIZE = 200;

/** Old files with content on which nothing waits. */
export async function findFilesBefore(db: DbOrTx, before: Date) {
  return db
    .selectFrom("edi_file")
    .select(["id", "stored_file_id"])
    .where("received_at", "<", toMoment(before))
    .where("content_encrypted", "!=", "")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("edi_message")
            .select("edi_message.id")
            .whereRef("edi_message.file_id", "=", "edi_file.id")
            .where("edi_message.state", "in", ["new", "waiting", "person"]),
        ),
      ),
    )
    .orderBy("received_at")
    .limit(BATCH_SIZE)
    .execute();
}

export async function clearFile(tx: Tx, id: number): Promise<void> {
  await tx.updateTable("edi_file").set({ content_encrypted: "", stored_file_id: null }).where("id", "=", id).execute();
}

import { type DbOrTx, insertUnlessThere, type Tx } from "~db/connection.server";
import { sealedEdiFile } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import { type EdiMessage, openEdiRow } from "./edi-message-store.server";

interface FileContent {
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

export async function findLinkedReferrer(db: DbOrTx, senderKey: string): Promise<number | null> {
  const row = await db
    .selectFrom("edi_sender")
    .select("referrer_id")
    .where("sender_key", "=", senderKey)
    .executeTakeFirst();
  return row?.referrer_id ?? null;
}

/** The newest link counts. */
export async function linkSender(
  tx: Tx,
  { senderKey, referrerId, personId, now }: { senderKey: string; referrerId: number; personId: number; now: Date },
): Promise<void> {
  await tx.deleteFrom("edi_sender").where("sender_key", "=", senderKey).execute();
  await tx
    .insertInto("edi_sender")
    .values({ sender_key: senderKey, referrer_id: referrerId, linked_by: personId, linked_at: toMoment(now) })
    .execute();
}

/**
 * An earlier letter of the same sender, number and type: the newest on a referral, else the newest. Types differ
 * between XML and EDIFACT only by an X.
 */
export async function findSameNumber(db: DbOrTx, secrets: Secrets, message: EdiMessage): Promise<EdiMessage | null> {
  const { id, sender_ean: ean, letter_id: number, type } = message;
  if (number === null || type === null) return null;
  const name = type.replace(/^X/, "");
  const rows = await db
    .selectFrom("edi_message")
    .selectAll()
    .where("letter_id", "=", number)
    .where("sender_ean", ean === null ? "is" : "=", ean)
    .where("type", "in", [name, `X${name}`])
    .where("id", "!=", id)
    .where("state", "not in", ["duplicate", "refused"])
    .where("content_encrypted", "!=", "")
    .where((eb) => eb.or([eb("id", "<", id), eb("referral_id", "is not", null)]))
    .orderBy("id", "desc")
    .execute();
  const row = rows.find(({ referral_id: referral }) => referral !== null) ?? rows[0];
  return row ? openEdiRow(secrets, row) : null;
}

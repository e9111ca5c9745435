import type { Selectable } from "kysely";
import { type DbOrTx, forUpdate, insertUnlessThere, type Tx, rowCount, idsOf } from "~db/connection.server";
import type { Database } from "~db/schema";
import { sealedEdiMessage, sealedEdiFile } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import {
  cprOfLetter,
  DUE_STATES,
  letterBrief,
  type EdiKind,
  type EdiReason,
  type EdiState,
  type MessageContent,
} from "../edi-states";

type Row = Selectable<Database["edi_message"]>;

export interface EdiMessage extends Omit<Row, "kind" | "state" | "reason"> {
  kind: EdiKind;
  state: EdiState;
  reason: EdiReason | null;
  content: MessageContent | null;
}

interface NewMessage {
  fileId: number;
  position: number;
  kind: EdiKind;
  type: string | null;
  letterId: string | null;
  envelopeId: string | null;
  senderEan: string | null;
  dedupeKey: string | null;
  content: MessageContent;
  state: EdiState;
  detail: string | null;
  nextAt: Date | null;
}

const openEdiRow = (secrets: Secrets, row: Row): EdiMessage => {
  const text = row.content_encrypted === "" ? null : sealedEdiMessage.open(secrets, row);
  return {
    ...row,
    kind: row.kind as EdiKind,
    state: row.state as EdiState,
    reason: row.reason as EdiReason | null,
    content: text === null ? null : (JSON.parse(text) as MessageContent),
  };
};

const contentColumns = (secrets: Secrets, content: MessageContent) => {
  const cpr = cprOfLetter(content.letter);
  return {
    ...sealedEdiMessage.seal(secrets, JSON.stringify(content)),
    cpr_hash: cpr === null ? null : secrets.lookup("cpr", cpr),
    is_urgent: letterBrief(content.letter).isUrgent ? 1 : 0,
  };
};

export async function insertEdiMessage(
  tx: Tx,
  secrets: Secrets,
  message: NewMessage,
  now: Date,
): Promise<{ id: number; duplicateOf: { id: number; envelopeId: string | null } | null }> {
  const row = {
    file_id: message.fileId,
    position: message.position,
    received_at: toMoment(now),
    kind: message.kind,
    type: message.type,
    letter_id: message.letterId,
    envelope_id: message.envelopeId,
    sender_ean: message.senderEan,
    dedupe_key: message.dedupeKey,
    ...contentColumns(secrets, message.content),
    state: message.state,
    reason: null,
    detail: message.detail?.slice(0, 500) ?? null,
    next_at: message.nextAt === null ? null : toMoment(message.nextAt),
    referral_id: null,
    duplicate_of: null,
    decided_by: null,
    decided_at: null,
    receipt_outbox_id: null,
  };
  const { dedupeKey } = message;
  const isFirst = dedupeKey === null || (await insertUnlessThere(tx, "edi_message", row));
  const earlier =
    dedupeKey === null
      ? undefined
      : await tx
          .selectFrom("edi_message")
          .select(["id", "envelope_id"])
          .where("dedupe_key", "=", dedupeKey)
          .executeTakeFirst();
  if (isFirst && earlier !== undefined) return { id: earlier.id, duplicateOf: null };
  const { insertId } = await tx
    .insertInto("edi_message")
    .values(
      earlier === undefined
        ? row
        : { ...row, dedupe_key: null, state: "duplicate", next_at: null, duplicate_of: earlier.id },
    )
    .executeTakeFirstOrThrow();
  return {
    id: Number(insertId),
    duplicateOf: earlier === undefined ? null : { id: earlier.id, envelopeId: earlier.envelope_id },
  };
}

export async function findDueMessages(db: DbOrTx, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("edi_message")
    .select("id")
    .where("state", "in", DUE_STATES)
    .where("next_at", "<=", toMoment(now))
    .orderBy("next_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return idsOf(rows);
}

export async function findEdiMessage(db: DbOrTx, secrets: Secrets, id: number): Promise<EdiMessage | null> {
  const row = await db.selectFrom("edi_message").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? openEdiRow(secrets, row) : null;
}

export async function findReferralMessage(
  db: DbOrTx,
  secrets: Secrets,
  referralId: number,
): Promise<EdiMessage | null> {
  const row = await db
    .selectFrom("edi_message")
    .selectAll()
    .where("referral_id", "=", referralId)
    .where("kind", "=", "referral")
    .where("state", "=", "imported")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row ? openEdiRow(secrets, row) : null;
}

export async function lockEdiMessage(tx: Tx, secrets: Secrets, id: number): Promise<EdiMessage | null> {
  const row = await forUpdate(tx, tx.selectFrom("edi_message").selectAll().where("id", "=", id)).executeTakeFirst();
  return row ? openEdiRow(secrets, row) : null;
}

interface Settlement {
  state: EdiState;
  reason?: EdiReason | null;
  detail?: string | null;
  nextAt?: Date | null;
  referralId?: number | null;
  duplicateOf?: number | null;
  decidedBy?: number;
}

export async function settleEdiMessage(tx: Tx, id: number, settlement: Settlement, now: Date): Promise<void> {
  const { state, reason = null, detail, nextAt = null, referralId, duplicateOf, decidedBy } = settlement;
  await tx
    .updateTable("edi_message")
    .set({
      state,
      reason,
      next_at: nextAt === null ? null : toMoment(nextAt),
      detail: detail && detail.slice(0, 500),
      referral_id: referralId,
      duplicate_of: duplicateOf,
      decided_by: decidedBy,
      decided_at: decidedBy === undefined ? undefined : toMoment(now),
    })
    .where("id", "=", id)
    .execute();
}

export async function updateContent(
  tx: Tx,
  secrets: Secrets,
  id: number,
  { content, ...columns }: Pick<NewMessage, "kind" | "type" | "letterId" | "content">,
): Promise<void> {
  await tx
    .updateTable("edi_message")
    .set({
      kind: columns.kind,
      type: columns.type,
      letter_id: columns.letterId,
      ...contentColumns(secrets, content),
    })
    .where("id", "=", id)
    .execute();
}

export async function setReceipt(tx: Tx, id: number, outboxId: number): Promise<void> {
  await tx.updateTable("edi_message").set({ receipt_outbox_id: outboxId }).where("id", "=", id).execute();
}

export async function makeMessagesOfPatientDue(tx: Tx, secrets: Secrets, cpr: string, now: Date): Promise<void> {
  await tx
    .updateTable("edi_message")
    .set({ next_at: toMoment(now) })
    .where("state", "=", "waiting")
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
    .execute();
}

/**
 * Letters that wait for a person and are urgent, oldest first, at most `limit`. Letters whose urgency is not stored are
 * among them, and their content says it.
 */
export async function findUrgentForPerson(
  db: DbOrTx,
  secrets: Secrets,
  limit: number,
): Promise<{ id: number; content: MessageContent | null }[]> {
  const rows = await waitingForPerson(db)
    .selectAll()
    .where((eb) => eb.or([eb("is_urgent", "=", 1), eb("is_urgent", "is", null)]))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => openEdiRow(secrets, row));
}

export const countForPerson = (db: DbOrTx): Promise<number> => rowCount(waitingForPerson(db));

const waitingForPerson = (db: DbOrTx) => db.selectFrom("edi_message").where("state", "=", "person");

export const countWaitingForPerson = (db: DbOrTx): Promise<number> =>
  rowCount(db.selectFrom("edi_message").where("state", "=", "person"));

export async function clearMessages(tx: Tx, fileId: number): Promise<number[]> {
  const rows = await tx.selectFrom("edi_message").select("id").where("file_id", "=", fileId).execute();
  await tx
    .updateTable("edi_message")
    .set({ content_encrypted: "", cpr_hash: null })
    .where("file_id", "=", fileId)
    .execute();
  return idsOf(rows);
}

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

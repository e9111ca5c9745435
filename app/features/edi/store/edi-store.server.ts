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

type Row = Selectable<Database["ediMessage"]>;

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
  const text = row.contentEncrypted === "" ? null : sealedEdiMessage.open(secrets, row);
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
    cprHash: cpr === null ? null : secrets.lookup("cpr", cpr),
    isUrgent: letterBrief(content.letter).isUrgent,
  };
};

export async function insertEdiMessage(
  tx: Tx,
  secrets: Secrets,
  message: NewMessage,
  now: Date,
): Promise<{ id: number; duplicateOf: { id: number; envelopeId: string | null } | null }> {
  const row = {
    fileId: message.fileId,
    position: message.position,
    receivedAt: toMoment(now),
    kind: message.kind,
    type: message.type,
    letterId: message.letterId,
    envelopeId: message.envelopeId,
    senderEan: message.senderEan,
    dedupeKey: message.dedupeKey,
    ...contentColumns(secrets, message.content),
    state: message.state,
    reason: null,
    detail: message.detail?.slice(0, 500) ?? null,
    nextAt: message.nextAt === null ? null : toMoment(message.nextAt),
    referralId: null,
    duplicateOf: null,
    decidedBy: null,
    decidedAt: null,
    receiptOutboxId: null,
  };
  const { dedupeKey } = message;
  const isFirst = dedupeKey === null || (await insertUnlessThere(tx, "ediMessage", row));
  const earlier =
    dedupeKey === null
      ? undefined
      : await tx
          .selectFrom("ediMessage")
          .select(["id", "envelopeId"])
          .where("dedupeKey", "=", dedupeKey)
          .executeTakeFirst();
  if (isFirst && earlier !== undefined) return { id: earlier.id, duplicateOf: null };
  const { insertId } = await tx
    .insertInto("ediMessage")
    .values(
      earlier === undefined
        ? row
        : { ...row, dedupeKey: null, state: "duplicate", nextAt: null, duplicateOf: earlier.id },
    )
    .executeTakeFirstOrThrow();
  return {
    id: Number(insertId),
    duplicateOf: earlier === undefined ? null : { id: earlier.id, envelopeId: earlier.envelopeId },
  };
}

export async function findDueMessages(db: DbOrTx, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("ediMessage")
    .select("id")
    .where("state", "in", DUE_STATES)
    .where("nextAt", "<=", toMoment(now))
    .orderBy("nextAt")
    .orderBy("id")
    .limit(limit)
    .execute();
  return idsOf(rows);
}

export async function findEdiMessage(db: DbOrTx, secrets: Secrets, id: number): Promise<EdiMessage | null> {
  const row = await db.selectFrom("ediMessage").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? openEdiRow(secrets, row) : null;
}

export async function findReferralMessage(
  db: DbOrTx,
  secrets: Secrets,
  referralId: number,
): Promise<EdiMessage | null> {
  const row = await db
    .selectFrom("ediMessage")
    .selectAll()
    .where("referralId", "=", referralId)
    .where("kind", "=", "referral")
    .where("state", "=", "imported")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row ? openEdiRow(secrets, row) : null;
}

export async function lockEdiMessage(tx: Tx, secrets: Secrets, id: number): Promise<EdiMessage | null> {
  const row = await forUpdate(tx, tx.selectFrom("ediMessage").selectAll().where("id", "=", id)).executeTakeFirst();
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
    .updateTable("ediMessage")
    .set({
      state,
      reason,
      nextAt: nextAt === null ? null : toMoment(nextAt),
      detail: detail && detail.slice(0, 500),
      referralId,
      duplicateOf,
      decidedBy,
      decidedAt: decidedBy === undefined ? undefined : toMoment(now),
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
    .updateTable("ediMessage")
    .set({
      kind: columns.kind,
      type: columns.type,
      letterId: columns.letterId,
      ...contentColumns(secrets, content),
    })
    .where("id", "=", id)
    .execute();
}

export async function setReceipt(tx: Tx, id: number, outboxId: number): Promise<void> {
  await tx.updateTable("ediMessage").set({ receiptOutboxId: outboxId }).where("id", "=", id).execute();
}

export async function makeMessagesOfPatientDue(tx: Tx, secrets: Secrets, cpr: string, now: Date): Promise<void> {
  await tx
    .updateTable("ediMessage")
    .set({ nextAt: toMoment(now) })
    .where("state", "=", "waiting")
    .where("cprHash", "in", secrets.lookups("cpr", cpr))
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
    .where((eb) => eb.or([eb("isUrgent", "=", true), eb("isUrgent", "is", null)]))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => openEdiRow(secrets, row));
}

export const countForPerson = (db: DbOrTx): Promise<number> => rowCount(waitingForPerson(db));

const waitingForPerson = (db: DbOrTx) => db.selectFrom("ediMessage").where("state", "=", "person");

export const countWaitingForPerson = (db: DbOrTx): Promise<number> =>
  rowCount(db.selectFrom("ediMessage").where("state", "=", "person"));

export async function clearMessages(tx: Tx, fileId: number): Promise<number[]> {
  const rows = await tx.selectFrom("ediMessage").select("id").where("fileId", "=", fileId).execute();
  await tx
    .updateTable("ediMessage")
    .set({ contentEncrypted: "", cprHash: null })
    .where("fileId", "=", fileId)
    .execute();
  return idsOf(rows);
}

interface FileContent {
  key: string;
  name: string;
}

export async function isFileKnown(db: DbOrTx, sha256: string): Promise<boolean> {
  const known = await db.selectFrom("ediFile").select("id").where("sha256", "=", sha256).executeTakeFirst();
  return known !== undefined;
}

/** Null if the same bytes were received before. */
export async function insertFile(
  tx: Tx,
  secrets: Secrets,
  file: { sha256: string; sizeBytes: number; storedFileId: number | null; content: FileContent },
  now: Date,
): Promise<number | null> {
  const isFirst = await insertUnlessThere(tx, "ediFile", {
    receivedAt: toMoment(now),
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    storedFileId: file.storedFileId,
    ...sealedEdiFile.seal(secrets, JSON.stringify(file.content)),
  });
  if (!isFirst) return null;
  const { id } = await tx
    .selectFrom("ediFile")
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
    .selectFrom("ediFile")
    .innerJoin("storedFile", "storedFile.id", "ediFile.storedFileId")
    .select(["storedFile.storageKey", "ediFile.rowKey", "ediFile.contentEncrypted"])
    .where("ediFile.id", "=", fileId)
    .executeTakeFirst();
  const content = row && row.contentEncrypted !== "" ? sealedEdiFile.open(secrets, row) : null;
  return row && content !== null ? { storageKey: row.storageKey, content: JSON.parse(content) as FileContent } : null;
}

/** Rows per statement; the job repeats it. */
const BATCH_SIZE = 200;

/** Old files with content on which nothing waits. */
export async function findFilesBefore(db: DbOrTx, before: Date) {
  return db
    .selectFrom("ediFile")
    .select(["id", "storedFileId"])
    .where("receivedAt", "<", toMoment(before))
    .where("contentEncrypted", "!=", "")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("ediMessage")
            .select("ediMessage.id")
            .whereRef("ediMessage.fileId", "=", "ediFile.id")
            .where("ediMessage.state", "in", ["new", "waiting", "person"]),
        ),
      ),
    )
    .orderBy("receivedAt")
    .limit(BATCH_SIZE)
    .execute();
}

export async function clearFile(tx: Tx, id: number): Promise<void> {
  await tx.updateTable("ediFile").set({ contentEncrypted: "", storedFileId: null }).where("id", "=", id).execute();
}

export async function findLinkedReferrer(db: DbOrTx, senderKey: string): Promise<number | null> {
  const row = await db
    .selectFrom("ediSender")
    .select("referrerId")
    .where("senderKey", "=", senderKey)
    .executeTakeFirst();
  return row?.referrerId ?? null;
}

/** The newest link counts. */
export async function linkSender(
  tx: Tx,
  { senderKey, referrerId, personId, now }: { senderKey: string; referrerId: number; personId: number; now: Date },
): Promise<void> {
  await tx.deleteFrom("ediSender").where("senderKey", "=", senderKey).execute();
  await tx
    .insertInto("ediSender")
    .values({ senderKey, referrerId, linkedBy: personId, linkedAt: toMoment(now) })
    .execute();
}

/**
 * An earlier letter of the same sender, number and type: the newest on a referral, else the newest. Types differ
 * between XML and EDIFACT only by an X.
 */
export async function findSameNumber(db: DbOrTx, secrets: Secrets, message: EdiMessage): Promise<EdiMessage | null> {
  const { id, senderEan: ean, letterId: number, type } = message;
  if (number === null || type === null) return null;
  const name = type.replace(/^X/, "");
  const rows = await db
    .selectFrom("ediMessage")
    .selectAll()
    .where("letterId", "=", number)
    .where("senderEan", ean === null ? "is" : "=", ean)
    .where("type", "in", [name, `X${name}`])
    .where("id", "!=", id)
    .where("state", "not in", ["duplicate", "refused"])
    .where("contentEncrypted", "!=", "")
    .where((eb) => eb.or([eb("id", "<", id), eb("referralId", "is not", null)]))
    .orderBy("id", "desc")
    .execute();
  const row = rows.find(({ referralId: referral }) => referral !== null) ?? rows[0];
  return row ? openEdiRow(secrets, row) : null;
}

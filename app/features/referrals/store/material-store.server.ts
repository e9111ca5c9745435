import type { Selectable } from "kysely";
import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { Actor } from "~/access/actor";
import { inScope, type ScopedReferralId } from "~/access/scope.server";
import { sealedMaterialNote, sealedMaterialWords } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { MaterialAnswer } from "~/features/referrals/model/material-kinds";
import { isRecalled } from "~/features/referrals/model/status";
import { AWAITING_MATERIAL, AWAITING_TRIAGE } from "~/features/referrals/model/statuses";
import { toMoment } from "~/text/dates";
import { markReferrals } from "~db/marked-rows.server";

export interface MaterialLine {
  id: number;
  kind: string;
  answer: MaterialAnswer;
  text: string | null;
  reply: string | null;
  answeredAt: string | null;
}

export interface MaterialRequest {
  id: number;
  statusSince: string;
  requestedAt: string;
  note: string | null;
  completedAt: string | null;
  lines: MaterialLine[];
}

/** Valid requests: the referral has awaited material since before they were made. */
const holding = (db: DbOrTx) =>
  db
    .selectFrom("materialRequest as request")
    .innerJoin("referral", (join) =>
      join
        .onRef("referral.id", "=", "request.referralId")
        .onRef("referral.statusSince", "=", "request.statusSince")
        .on("referral.status", "=", AWAITING_MATERIAL),
    );

/** The request behind a referral's status: valid, or answered within the present status. */
export async function findMaterialRequest(
  db: DbOrTx,
  secrets: Secrets,
  row: { id: ScopedReferralId; status: number; statusSince: string | null; recalledAt: string | null },
): Promise<MaterialRequest | null> {
  const { id, status, statusSince: since } = row;
  // Answering the last item also sets `recalled_at`; without it there is no answered request to find.
  if (since === null || (status !== AWAITING_MATERIAL && !isRecalled(row))) return null;
  const request = await db
    .selectFrom("materialRequest")
    .selectAll()
    .where("referralId", "=", id)
    .where(status === AWAITING_MATERIAL ? "statusSince" : "completedAt", "=", since)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!request) return null;
  const lines = await db
    .selectFrom("materialLine")
    .selectAll()
    .where("requestId", "=", request.id)
    .where("answer", "!=", "withdrawn")
    .orderBy("id")
    .execute();
  return {
    id: request.id,
    statusSince: request.statusSince,
    requestedAt: request.requestedAt,
    note: sealedMaterialNote.open(secrets, request),
    completedAt: request.completedAt,
    lines: lines.map((line) => toLine(secrets, line)),
  };
}

/** Requests for patients with one of these hashes, newest first, of the referrals that the actor sees. */
export async function findRequestsForPatient(
  db: DbOrTx,
  actor: Actor,
  cprHashes: readonly string[],
  limit: number,
): Promise<{ id: number; referralId: ScopedReferralId; requestedAt: string; isAnswered: boolean; kinds: string[] }[]> {
  const query = db
    .selectFrom("referral")
    .innerJoin("materialRequest as request", "request.referralId", "referral.id")
    .select(["referral.id", "request.id as requestId", "request.requestedAt", "request.completedAt"])
    .where("referral.cprHash", "in", cprHashes)
    .orderBy("request.id", "desc")
    .limit(limit);
  const requests = await inScope(query, actor, "sent").execute();
  if (requests.length === 0) return [];
  const ids = requests.map(({ requestId }) => requestId);
  const lines = await db
    .selectFrom("materialLine")
    .select(["requestId", "kind", "answer"])
    .where("requestId", "in", ids)
    .orderBy("id")
    .execute();
  return requests.map(({ id, requestId, requestedAt, completedAt }) => ({
    id: requestId,
    referralId: id,
    requestedAt,
    isAnswered: completedAt !== null,
    kinds: lines.filter((line) => line.requestId === requestId && line.answer !== "withdrawn").map(({ kind }) => kind),
  }));
}

/** Open lines by referral; referrals without a request are absent. */
export async function countMissing(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, number>> {
  if (referralIds.length === 0) return new Map();
  const rows = await holding(db)
    .innerJoin("materialLine as line", "line.requestId", "request.id")
    .select((eb) => ["referral.id", eb.fn.countAll<number>().as("missing")])
    .where("request.referralId", "in", referralIds)
    .where("line.answer", "=", "open")
    .groupBy("referral.id")
    .execute();
  return new Map(rows.map(({ id, missing }) => [id, Number(missing)]));
}

export async function isRequested(db: DbOrTx, referralId: number): Promise<boolean> {
  return (await countMissing(db, [referralId])).size > 0;
}

export async function countArrivingForLines(db: DbOrTx, lineIds: readonly number[]): Promise<Map<number, number>> {
  if (lineIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("partialUpload")
    .select((eb) => ["materialLineId", eb.fn.countAll<number>().as("files")])
    .where("materialLineId", "in", lineIds)
    .where("state", "=", "arriving")
    .groupBy("materialLineId")
    .execute();
  return new Map(rows.map(({ materialLineId: id, files }) => [id!, Number(files)]));
}

/** A line of the referral's own requests, open or not; null for others. */
export async function findLineOf(db: DbOrTx, referralId: ScopedReferralId, lineId: number): Promise<number | null> {
  const line = await db
    .selectFrom("materialLine")
    .innerJoin("materialRequest as request", "request.id", "materialLine.requestId")
    .select("materialLine.id")
    .where("materialLine.id", "=", lineId)
    .where("request.referralId", "=", referralId)
    .executeTakeFirst();
  return line?.id ?? null;
}

export async function insertMaterialRequest(
  tx: Tx,
  secrets: Secrets,
  request: { referralId: ScopedReferralId; statusSince: string; requestedBy: number; note: string | null },
  now: Date,
): Promise<number> {
  const { insertId } = await tx
    .insertInto("materialRequest")
    .values({
      referralId: request.referralId,
      statusSince: request.statusSince,
      requestedBy: request.requestedBy,
      requestedAt: toMoment(now),
      completedAt: null,
      ...noteColumns(secrets, request.note),
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function updateMaterialNote(tx: Tx, secrets: Secrets, id: number, note: string | null): Promise<void> {
  await tx.updateTable("materialRequest").set(noteColumns(secrets, note)).where("id", "=", id).execute();
}

export async function changeMaterialLines(
  tx: Tx,
  secrets: Secrets,
  request: { id: number; referralId: ScopedReferralId },
  { added, dropped }: { added: readonly Pick<MaterialLine, "kind" | "text">[]; dropped: readonly { id: number }[] },
  by: { personId: number; now: Date },
): Promise<void> {
  markReferrals(tx, [request.referralId]);
  for (const { id } of dropped) await answerLine(tx, id, "withdrawn", by);
  if (added.length === 0) return;
  await tx
    .insertInto("materialLine")
    .values(
      added.map(({ kind, text }) => ({
        requestId: request.id,
        kind,
        ...wordsColumns(secrets, { text, reply: null }),
        firstFileAt: null,
        answer: "open",
        answeredBy: null,
        answeredAt: null,
      })),
    )
    .execute();
}

const noteColumns = (secrets: Secrets, note: string | null) =>
  note === null ? { rowKey: null, noteEncrypted: null } : sealedMaterialNote.seal(secrets, note);

const wordsColumns = (secrets: Secrets, words: Pick<MaterialLine, "text" | "reply">) =>
  words.text === null && words.reply === null
    ? { rowKey: null, wordsEncrypted: null }
    : sealedMaterialWords.seal(secrets, JSON.stringify(words));

function toLine(secrets: Secrets, row: Selectable<Database["materialLine"]>): MaterialLine {
  const { text, reply } = JSON.parse(sealedMaterialWords.open(secrets, row) ?? "{}") as Partial<MaterialLine>;
  return {
    id: row.id,
    kind: row.kind,
    answer: row.answer as MaterialAnswer,
    text: text ?? null,
    reply: reply ?? null,
    answeredAt: row.answeredAt,
  };
}

export async function answerLine(
  tx: Tx,
  lineId: number,
  answer: Exclude<MaterialAnswer, "open">,
  by: { personId: number | null; now: Date },
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("materialLine")
      .set({ answer, answeredBy: by.personId, answeredAt: toMoment(by.now) })
      .where("id", "=", lineId)
      .where("answer", "=", "open"),
  );
}

export async function updateLineReply(tx: Tx, secrets: Secrets, line: MaterialLine, reply: string): Promise<void> {
  await tx
    .updateTable("materialLine")
    .set(wordsColumns(secrets, { text: line.text, reply }))
    .where("id", "=", line.id)
    .execute();
}

/** Marks that a file arrived while others are unfinished; the job settles the line later. */
export async function markLineBegun(tx: Tx, lineId: number, now: Date): Promise<void> {
  await tx
    .updateTable("materialLine")
    .set({ firstFileAt: toMoment(now) })
    .where("id", "=", lineId)
    .where("firstFileAt", "is", null)
    .execute();
}

export function findBegunLines(
  db: DbOrTx,
  before: Date,
  limit: number,
): Promise<{ lineId: number; referralId: number }[]> {
  return db
    .selectFrom("materialLine as line")
    .innerJoin("materialRequest as request", "request.id", "line.requestId")
    .select(["line.id as lineId", "request.referralId as referralId"])
    .where("line.answer", "=", "open")
    .where("line.firstFileAt", "<", toMoment(before))
    .orderBy("line.firstFileAt")
    .limit(limit)
    .execute();
}

/** Valid requests with open lines and `sent` reminders. The last one, or else the request, is older than `before`. */
export function findUnansweredRequests(
  db: DbOrTx,
  { sent, before }: { sent: number; before: Date },
  limit: number,
): Promise<{ requestId: number; referralId: number; sent: number }[]> {
  return holding(db)
    .select(["request.id as requestId", "request.referralId as referralId", "request.reminders as sent"])
    .where("request.reminders", "=", sent)
    .where(sent === 0 ? "request.requestedAt" : "request.remindedAt", "<", toMoment(before))
    .where("request.completedAt", "is", null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("materialLine as line")
          .select("line.id")
          .whereRef("line.requestId", "=", "request.id")
          .where("line.answer", "=", "open"),
      ),
    )
    .orderBy("request.id")
    .limit(limit)
    .execute();
}

/** Counts a reminder; false if another process has sent it. */
export async function countReminder(
  tx: Tx,
  requestId: number,
  { sent, now }: { sent: number; now: Date },
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("materialRequest")
      .set({ reminders: sent + 1, remindedAt: toMoment(now) })
      .where("id", "=", requestId)
      .where("reminders", "=", sent),
  );
}

/** Returns a referral without open lines to triage at the top, once. False if it no longer awaits material. */
export async function returnToTriage(
  tx: Tx,
  referralId: ScopedReferralId,
  request: Pick<MaterialRequest, "id" | "statusSince">,
  now: Date,
): Promise<boolean> {
  const at = toMoment(now);
  const open = await tx
    .selectFrom("materialLine")
    .select("id")
    .where("requestId", "=", request.id)
    .where("answer", "=", "open")
    .limit(1)
    .executeTakeFirst();
  if (open) return false;
  const isReturned = await changesAny(
    tx
      .updateTable("referral")
      .set((eb) => ({
        status: AWAITING_TRIAGE,
        statusSince: at,
        recalledAt: at,
        statusVersion: eb("statusVersion", "+", 1),
      }))
      .where("id", "=", referralId)
      .where("status", "=", AWAITING_MATERIAL)
      .where("statusSince", "=", request.statusSince),
  );
  if (!isReturned) return false;
  await tx.updateTable("materialRequest").set({ completedAt: at }).where("id", "=", request.id).execute();
  markReferrals(tx, [referralId]);
  return true;
}

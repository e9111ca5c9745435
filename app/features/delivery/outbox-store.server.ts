import { type Db, type DbOrTx, holding, type Tx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import { FAILED, QUEUED, SENT, UPLOADED } from "./delivery-status";

export interface EmailToSend {
  /** What the mail is for, such as `passwordReset`; shown in the logs. */
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  referralId?: number;
  userId?: number;
  notBefore?: Date;
  /** It carries or links to the referral's files: until it has been sent they cannot be deleted. */
  needsFiles?: boolean;
}

/** Commits the intent to send as part of the caller's transaction; the worker sends it later. */
export interface OutboxWriter {
  email(message: EmailToSend): Promise<number>;
  /** Many at once, in a few statements. */
  emails(messages: EmailToSend[]): Promise<void>;
  /** Takes back messages of a kind that nobody has begun to send. Answers the referrals that had one. */
  withdraw(kind: string, referralIds: number[]): Promise<number[]>;
  /** Whether a message that needs this referral's files has not been sent yet. */
  waitsForFiles(referralId: number): Promise<boolean>;
}

/** Rows to a statement: both databases take at most some tens of thousands of values. */
const ROWS = 500;

export function outboxIn(tx: Tx, { secrets, clock }: { secrets: Secrets; clock: { now(): Date } }): OutboxWriter {
  const rowOf = ({ kind, to, subject, text, html, referralId, userId, notBefore, needsFiles }: EmailToSend) => {
    const now = clock.now();
    return {
      channel: "email",
      kind,
      referral_id: referralId ?? null,
      user_id: userId ?? null,
      recipient_encrypted: secrets.encrypt("outbox", to),
      content_encrypted: secrets.encrypt("outbox", JSON.stringify({ subject, text, html })),
      status: QUEUED,
      status_text: null,
      attempts: 0,
      created_at: toMoment(now),
      not_before: toMoment(notBefore ?? now),
      lease_owner: null,
      lease_until: null,
      sending_since: null,
      sent_at: null,
      needs_files: needsFiles ? 1 : 0,
    };
  };
  return {
    async email(message) {
      const row = await tx.insertInto("outbox").values(rowOf(message)).executeTakeFirstOrThrow();
      return Number(row.insertId);
    },
    async emails(messages) {
      for (let start = 0; start < messages.length; start += ROWS) {
        await tx.insertInto("outbox").values(messages.slice(start, start + ROWS).map(rowOf)).execute();
      }
    },
    async withdraw(kind, referralIds) {
      const taken: number[] = [];
      for (let start = 0; start < referralIds.length; start += ROWS) {
        const waiting = await holding(
          tx,
          tx
            .selectFrom("outbox")
            .select(["id", "referral_id"])
            .where("referral_id", "in", referralIds.slice(start, start + ROWS))
            .where("kind", "=", kind)
            .where("status", "=", QUEUED)
            .where("attempts", "=", 0)
            .where("sending_since", "is", null),
        ).execute();
        if (waiting.length > 0) await tx.deleteFrom("outbox").where("id", "in", waiting.map(({ id }) => id)).execute();
        taken.push(...waiting.flatMap(({ referral_id }) => referral_id ?? []));
      }
      return taken;
    },
    async waitsForFiles(referralId) {
      const waiting = await tx
        .selectFrom("outbox")
        .select("id")
        .where("referral_id", "=", referralId)
        .where("needs_files", "=", 1)
        .where("status", "in", [QUEUED, UPLOADED])
        .limit(1)
        .executeTakeFirst();
      return waiting !== undefined;
    },
  };
}

export interface ClaimedMessage {
  id: number;
  channel: string;
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attempts: number;
  /** A former worker had begun to send it and never said how it went. */
  interrupted: boolean;
}

const LEASE_SECONDS = 120;

export async function isAnyDue(db: Db, now: Date): Promise<boolean> {
  const due = await db.selectFrom("outbox").select("id").where("status", "=", QUEUED).where("not_before", "<=", toMoment(now)).limit(1).executeTakeFirst();
  return due !== undefined;
}

/** Takes one due message with a lease that no other worker can take; null when nothing is due. */
export async function claimMessage(db: Db, secrets: Secrets, owner: string, now: Date): Promise<ClaimedMessage | null> {
  const at = toMoment(now);
  const due = await db
    .selectFrom("outbox")
    .select("id")
    .where("status", "=", QUEUED)
    .where("not_before", "<=", at)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<", at)]))
    .orderBy("not_before")
    .limit(5)
    .execute();
  for (const { id } of due) {
    // All of it is asked again: since the look another worker may have sent the message or put it off.
    const claimed = await db
      .updateTable("outbox")
      .set({ lease_owner: owner, lease_until: toMoment(new Date(now.getTime() + LEASE_SECONDS * 1000)) })
      .where("id", "=", id)
      .where("status", "=", QUEUED)
      .where("not_before", "<=", at)
      .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<", at)]))
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) continue;
    // Read under the lease: from here on no former owner can say that sending begins.
    const row = await db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();
    // Withdrawn at the last moment.
    if (!row) continue;
    const to = secrets.decrypt("outbox", row.recipient_encrypted);
    const content = secrets.decrypt("outbox", row.content_encrypted);
    if (to === null || content === null) {
      await settleMessage(db, row.id, owner, { status: FAILED, text: "Kan ikke læses med den nuværende nøgle" }, now);
      continue;
    }
    const { subject, text, html } = JSON.parse(content) as { subject: string; text: string; html: string };
    return { id: row.id, channel: row.channel, kind: row.kind, to, subject, text, html, attempts: row.attempts, interrupted: row.sending_since !== null };
  }
  return null;
}

/** Says, just before the gateway is called, that from here on the message may have left. Answers false if the lease is lost. */
export async function markSending(db: Db, id: number, owner: string, now: Date): Promise<boolean> {
  const marked = await db
    .updateTable("outbox")
    .set((eb) => ({ sending_since: toMoment(now), attempts: eb("attempts", "+", 1) }))
    .where("id", "=", id)
    .where("lease_owner", "=", owner)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}

export type Settlement = { status: typeof SENT } | { status: typeof FAILED; text: string } | { status: typeof QUEUED; text: string; notBefore: Date };

/** Records how a message fared and gives the lease back. */
export async function settleMessage(db: DbOrTx, id: number, owner: string, settlement: Settlement, now: Date): Promise<void> {
  await db
    .updateTable("outbox")
    .set({
      status: settlement.status,
      status_text: "text" in settlement ? settlement.text.slice(0, 300) : null,
      sent_at: settlement.status === SENT ? toMoment(now) : null,
      lease_owner: null,
      lease_until: null,
      sending_since: null,
      ...("notBefore" in settlement ? { not_before: toMoment(settlement.notBefore) } : {}),
    })
    .where("id", "=", id)
    .where("lease_owner", "=", owner)
    .execute();
}

export async function recordAttempt(tx: DbOrTx, id: number, outcome: string, detail: string, now: Date): Promise<void> {
  await tx.insertInto("outbox_attempt").values({ outbox_id: id, at: toMoment(now), outcome, detail: detail.slice(0, 500) }).execute();
}

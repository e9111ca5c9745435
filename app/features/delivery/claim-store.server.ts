import { addSeconds } from "date-fns";
import { type Db, type DbOrTx, type Tx, changesAny } from "~db/connection.server";
import { markMessages } from "~db/marked-rows.server";
import type { Database } from "~db/schema";
import type { ExpressionBuilder } from "kysely";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import type { ChannelName, Outcome, FailureReason } from "./delivery-outcome";
import { findAttachedFile } from "./store.server";
import { numberHash, sealRecipient, claimedOf } from "./sealed-message.server";
import type { ClaimedMessage, NewOutcome } from "./port";
import type { Settlement } from "./settlement";

/** Selects the messages a lane claims: those to send and, with `polls`, accepted ones to ask about. */
interface Lane {
  channel: ChannelName;
  polls: boolean;
}

function isDue({ channel, polls }: Lane, at: string) {
  const wanted: Outcome[] = polls ? ["queued", "awaiting"] : ["queued"];
  return (eb: ExpressionBuilder<Database, "outbox">) =>
    eb.and([
      eb("channel", "=", channel),
      eb("outcome", "in", wanted),
      eb("notBefore", "<=", at),
      eb.or([eb("leaseUntil", "is", null), eb("leaseUntil", "<", at)]),
    ]);
}

export async function isAnyDue(db: Db, lane: Lane, now: Date): Promise<boolean> {
  const due = await db
    .selectFrom("outbox")
    .select("id")
    .where(isDue(lane, toMoment(now)))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

const leaseUntil = (now: Date, seconds: number) => toMoment(addSeconds(now, seconds));

export async function claimMessage(
  db: Db,
  secrets: Secrets,
  lane: Lane & { leaseSeconds: number },
  owner: string,
  now: Date,
): Promise<ClaimedMessage | null> {
  const at = toMoment(now);
  const due = await db.selectFrom("outbox").select("id").where(isDue(lane, at)).orderBy("notBefore").limit(5).execute();
  for (const { id } of due) {
    const isClaimed = await changesAny(
      db
        .updateTable("outbox")
        .set({ leaseOwner: owner, leaseUntil: leaseUntil(now, lane.leaseSeconds) })
        .where("id", "=", id)
        .where(isDue(lane, at)),
    );
    if (!isClaimed) continue;
    // Read under the lease: a former owner can no longer mark it as sending.
    const row = await db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    if (row.outcome !== "queued" && row.outcome !== "awaiting") continue;
    return {
      ...claimedOf(secrets, row),
      channel: lane.channel,
      outcome: row.outcome,
      file: row.storedFileId === null ? undefined : ((await findAttachedFile(db, row.id)) ?? null),
      reference: row.providerReference,
      detail: row.detail,
      reason: row.reason as FailureReason | null,
      isExpired: row.expiresAt !== null && row.expiresAt <= at,
      isInterrupted: row.sendingSince !== null,
    };
  }
  return null;
}

export async function renewLease(db: Db, id: number, owner: string, seconds: number, now: Date): Promise<boolean> {
  return changesAny(
    db
      .updateTable("outbox")
      .set({ leaseUntil: leaseUntil(now, seconds) })
      .where("id", "=", id)
      .where("leaseOwner", "=", owner),
  );
}

/** Changes the recipient of a claimed message; no effect if another worker holds the lease. */
export async function changeRecipient(
  db: Db,
  secrets: Secrets,
  { id, owner, to }: { id: number; owner: string; to: string },
): Promise<void> {
  const row = await db
    .selectFrom("outbox")
    .select(["rowKey", "channel"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("outbox")
    .set({
      recipientEncrypted: sealRecipient(secrets, to, row.rowKey),
      recipientHash: row.channel === "sms" ? numberHash(secrets, to) : null,
    })
    .where("id", "=", id)
    .where("leaseOwner", "=", owner)
    .execute();
}

export async function attachFile(tx: DbOrTx, id: number, owner: string, storedFileId: number): Promise<boolean> {
  return changesAny(
    tx.updateTable("outbox").set({ storedFileId }).where("id", "=", id).where("leaseOwner", "=", owner),
  );
}

/** Commits, before the first byte that can deliver it, that the message may have left. False if the lease is lost. */
export async function markSending(
  db: Db,
  { id, owner, sender }: { id: number; owner: string; sender: string | null },
  now: Date,
): Promise<boolean> {
  return changesAny(
    db
      .updateTable("outbox")
      .set((eb) => ({ sendingSince: toMoment(now), sender, attempts: eb("attempts", "+", 1), waitingSince: null }))
      .where("id", "=", id)
      .where("leaseOwner", "=", owner)
      .where("outcome", "=", "queued"),
  );
}

/** No worker holds the row or has begun to send it. */
export const RELEASED = { leaseOwner: null, leaseUntil: null, sendingSince: null } as const;

/** Columns of a message that was settled by somebody else than its worker. */
export const settledAs = ({ outcome, code, detail, reason = null }: NewOutcome, now: Date) => ({
  outcome,
  code,
  detail,
  reason,
  settledAt: toMoment(now),
  ...RELEASED,
});

/** Records the outcome and releases the lease. False, with nothing written, if another worker holds it. */
export async function settleOutboxMessage(
  tx: Tx,
  id: number,
  owner: string,
  { outcome, code, detail, reason, nextAt, reference, attempts, isWaiting }: Settlement,
  now: Date,
): Promise<boolean> {
  const at = toMoment(now);
  const hasLeft = outcome === "sent" || outcome === "awaiting";
  markMessages(tx, [id]);
  return changesAny(
    tx
      .updateTable("outbox")
      .set((eb) => ({
        outcome,
        code,
        detail: detail?.slice(0, 300) ?? null,
        reason,
        providerReference: reference ?? undefined,
        sentAt: hasLeft ? eb.fn.coalesce("sentAt", eb.val(at)) : undefined,
        settledAt: outcome === "queued" || outcome === "awaiting" ? undefined : at,
        attempts,
        waitingSince: isWaiting ? eb.fn.coalesce("waitingSince", eb.val(at)) : null,
        notBefore: nextAt ? toMoment(nextAt) : undefined,
        ...RELEASED,
      }))
      .where("id", "=", id)
      .where("leaseOwner", "=", owner),
  );
}

/**
 * Records an attempt. While the provider is down (`isChannelDown`) only the first and last of equal attempts are kept,
 * since there is one a minute.
 */
export async function recordAttempt(
  tx: DbOrTx,
  id: number,
  { outcome, detail, isChannelDown }: { outcome: string; detail: string; isChannelDown: boolean },
  now: Date,
): Promise<void> {
  const attempt = { at: toMoment(now), outcome, detail: detail.slice(0, 500) };
  const [last, before] = isChannelDown ? await findLastAttempts(tx, id) : [];
  const isSame = (other: typeof last) => other?.outcome === attempt.outcome && other.detail === attempt.detail;
  if (last !== undefined && isSame(last) && isSame(before))
    await tx.updateTable("outboxAttempt").set({ at: attempt.at }).where("id", "=", last.id).execute();
  else
    await tx
      .insertInto("outboxAttempt")
      .values({ outboxId: id, ...attempt })
      .execute();
}

const findLastAttempts = (tx: DbOrTx, id: number) =>
  tx
    .selectFrom("outboxAttempt")
    .select(["id", "outcome", "detail"])
    .where("outboxId", "=", id)
    .orderBy("id", "desc")
    .limit(2)
    .execute();

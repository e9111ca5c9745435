import { type Db, type DbOrTx, inTransaction } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { Actor } from "./actor";

export interface AuditEntry {
  actor: Actor;
  operation: string;
  /** done | seen | refused */
  outcome: string;
  referralIds: number[];
  detail?: string | null;
}

/** Who did or read what, and when. A change's row is part of its transaction; a reading's is written after the answer, in batches. */
export interface AuditTrail {
  within(tx: DbOrTx, entry: AuditEntry, at: string): Promise<void>;
  later(entry: AuditEntry): void;
  /** Writes what waits. Called by a timer, at the orderly stop, and by tests. */
  flush(): Promise<void>;
}

const BATCH_AFTER_MS = 250;

export function createAuditTrail(db: Db, clock: { now(): Date }, onFault: (error: unknown) => void): AuditTrail {
  let waiting: { entry: AuditEntry; at: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  const writeWaiting = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    // One commit for all of them: each would otherwise be a write to the disk of its own.
    await inTransaction(db, async (tx) => {
      for (const { entry, at } of batch) await write(tx, entry, at);
    });
  };
  // One after another: whoever flushes before the database closes also waits for the batch that the timer began.
  const flush = () => (underWay = underWay.catch(() => undefined).then(writeWaiting));
  return {
    within: write,
    later(entry) {
      waiting.push({ entry, at: toMoment(clock.now()) });
      timer ??= setTimeout(() => void flush().catch(onFault), BATCH_AFTER_MS);
      timer.unref();
    },
    flush,
  };
}

async function write(db: DbOrTx, entry: AuditEntry, at: string): Promise<void> {
  const event = await db
    .insertInto("audit_event")
    .values({
      at,
      actor_kind: entry.actor.kind,
      actor_id: entry.actor.kind === "person" ? entry.actor.id : null,
      operation: entry.operation,
      outcome: entry.outcome,
      detail: entry.detail?.slice(0, 500) ?? (entry.actor.kind === "system" ? entry.actor.job : null),
    })
    .executeTakeFirstOrThrow();
  const ids = [...new Set(entry.referralIds)];
  for (let start = 0; start < ids.length; start += 1000) {
    await db
      .insertInto("audit_referral")
      .values(ids.slice(start, start + 1000).map((id) => ({ referral_id: id, audit_event_id: Number(event.insertId) })))
      .execute();
  }
}

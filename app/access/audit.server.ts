import { type Db, type DbOrTx, inTransaction } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { Actor } from "./actor";
import { insertAuditEvent } from "./audit-store.server";
import type { Permission } from "./permissions";
import type { Secrets } from "./secrets.server";
import { providerNetworkOf } from "./throttle.server";

/** People an operation concerned, besides its referrals. Typed text and personal numbers are stored as a keyed hash. */
export interface Subject {
  userId?: number;
  account?: string;
  cpr?: string;
}

export interface AuditEntry {
  actor: Actor;
  operation: string;
  outcome: string;
  referralIds: number[];
  detail?: string | null;
  permission?: Permission;
  subject?: Subject;
  caller?: { site: string; address: string };
}

/**
 * Records who did or read what. A change's row is part of its transaction; a read's row is written in a batch after the
 * answer.
 */
export interface AuditTrail {
  within(tx: DbOrTx, entry: AuditEntry, at: string): Promise<void>;
  later(entry: AuditEntry): void;
  /** Like `later`, but at most 30 a minute of one kind from one person or network; the next row says how many more there were. */
  refused(entry: AuditEntry): void;
  flush(): Promise<void>;
}

const BATCH_AFTER_MS = 250;
const RETRY_AFTER_MS = 5_000;
const REFUSALS_A_MINUTE = 30;
const MAX_COUNTERS = 10_000;

interface Waiting {
  entry: AuditEntry;
  at: string;
}

export function createAuditTrail(
  db: Db,
  secrets: Secrets,
  clock: { now(): Date },
  onError: (error: unknown) => void,
): AuditTrail {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  const refusals = new Map<string, { until: number; count: number }>();

  const writeWaiting = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      // One commit for the whole batch instead of one disk write per row.
      await inTransaction(db, async (tx) => {
        for (const { entry, at } of batch) await write(tx, secrets, entry, at);
      });
    } catch (error) {
      waiting = [...batch, ...waiting];
      writeAfter(RETRY_AFTER_MS);
      throw error;
    }
  };
  const flush = () => (underWay = underWay.catch(() => undefined).then(writeWaiting));
  const writeAfter = (ms: number) => {
    timer ??= setTimeout(() => void flush().catch(onError), ms);
    timer.unref();
  };
  const later = (entry: AuditEntry) => {
    waiting.push({ entry, at: toMoment(clock.now()) });
    writeAfter(BATCH_AFTER_MS);
  };

  return {
    within: (tx, entry, at) => write(tx, secrets, entry, at),
    later,
    refused(entry) {
      const now = clock.now().getTime();
      const kind = [entry.operation, entry.detail, whoOf(entry)].join(" ");
      const before = refusals.get(kind);
      if (before && now < before.until) {
        before.count += 1;
        if (before.count > REFUSALS_A_MINUTE) return;
      } else {
        if (refusals.size >= MAX_COUNTERS) refusals.clear();
        refusals.set(kind, { until: now + 60_000, count: 1 });
      }
      const suppressed = before && now >= before.until ? before.count - REFUSALS_A_MINUTE : 0;
      later(suppressed > 0 ? { ...entry, detail: `${entry.detail ?? ""}, ${suppressed} more before` } : entry);
    },
    flush,
  };
}

async function write(db: DbOrTx, secrets: Secrets, entry: AuditEntry, at: string): Promise<void> {
  const { actor, subject, caller } = entry;
  await insertAuditEvent(
    db,
    {
      at,
      actorKind: actor.kind,
      actorId: actor.kind === "person" ? actor.id : null,
      apiKeyId: actor.kind === "apiKey" ? (actor.key?.id ?? null) : null,
      role: actor.kind === "person" ? actor.roles.join("+") : null,
      site: caller?.site ?? null,
      purpose: entry.permission ? purposeOf(entry.permission) : null,
      addressHash: caller?.address ? secrets.lookup("audit", caller.address) : null,
      operation: entry.operation,
      outcome: entry.outcome,
      subjectUserId: subject?.userId ?? null,
      accountHash: subject?.account === undefined ? null : secrets.lookup("audit", subject.account),
      cprHash: subject?.cpr === undefined ? null : secrets.lookup("cpr", subject.cpr),
      detail: entry.detail?.slice(0, 500) ?? (actor.kind === "system" ? actor.job : null),
    },
    entry.referralIds,
  );
}

function whoOf({ actor, caller }: AuditEntry): string | number | undefined {
  if (actor.kind === "apiKey") return `key ${actor.key?.id}`;
  // A single IPv6 line has more addresses than the audit log has room for rows.
  return actor.kind === "person" ? actor.id : providerNetworkOf(caller?.address ?? "");
}

/** The purpose of a permission's operations: `treatment`, `export`, `account` or `operation`. */
function purposeOf(permission: Permission): string {
  if (permission === "referral.export") return "export";
  if (/^(referral|message|appointments|patient|dischargeLetter|upload)\./.test(permission)) return "treatment";
  return permission === "system" || permission === "development" ? "operation" : "account";
}

import type { Db, Tx } from "~db/connection.server";
import { limitedReads } from "~db/read-limit.server";
import type { Portal } from "~/portal.server";
import { type Actor, hasAccount, type Person } from "./actor";
import type { Subject } from "./audit.server";
import type { Caller } from "./caller";
import type { Permission } from "./permissions";
import { Refusal } from "./refusal";

export interface Common {
  actor: Actor;
  /** The signed-in person, or the one a key writes as; throws `notSignedIn` for any other actor. */
  person: Person;
  caller: Caller;
  portal: Portal;
  now: Date;
  concerns(subject: Subject): void;
}

export interface Note {
  subject: Subject;
}

export interface ReadContext extends Common {
  db: Db;
  /**
   * Records referrals shown to the actor; one audit row is written after the answer, or per streamed batch of a
   * download.
   */
  auditRead(referralIds: number[], detail?: string): void;
  /**
   * Records people shown to the actor who have no referral. Each gets an audit row, so that their insight includes it.
   */
  auditStrangers(people: readonly Stranger[]): void;
}

interface Stranger {
  cpr: string | null;
  where: string;
}

export interface ChangeContext extends Common {
  tx: Tx;
  outbox: ReturnType<Portal["outboxIn"]>;
  auditChange(referralIds: number[], detail?: string): void;
  /**
   * Schedules work for after the commit, in the order given: invalidating caches, waking a worker, removing files.
   * Skipped after a rollback. A failure is logged and undoes nothing, so a crash before it must lose nothing.
   */
  afterCommit(work: () => Promise<void> | void): void;
}

export function common(portal: Portal, caller: Caller, note: Note): Common {
  return {
    concerns: (subject) => void Object.assign(note.subject, subject),
    actor: caller.actor,
    get person() {
      if (!hasAccount(caller.actor)) throw new Refusal("notSignedIn");
      return caller.actor;
    },
    caller,
    portal,
    now: portal.clock.now(),
  };
}

interface Declared {
  name: string;
  permission: Permission;
}

/**
 * Context of a read. It writes one audit row with the answer and one per batch that a download streams afterwards. With
 * `isLimited` the database ends slow statements, except when the portal itself asks.
 */
export function reading(
  declaration: Declared,
  portal: Portal,
  caller: Caller,
  note: Note,
  { isLimited }: { isLimited: boolean },
): { context: ReadContext; answered(options: { always: boolean }): void } {
  const db = isLimited && caller.actor.kind !== "system" ? limitedReads(portal.db) : portal.db;
  const ids: number[] = [];
  const strangers = new Map<string, Stranger>();
  let detail: string | null = null;
  let isAnswered = false;
  const write = (referralIds: number[], words: string | null, subject = note.subject) =>
    portal.audit.later({ ...entryOf(declaration, caller, { subject }), outcome: "seen", referralIds, detail: words });
  const auditStrangers = (people: readonly Stranger[]) => {
    for (const each of people) strangers.set(`${each.cpr} ${each.where}`, each);
  };
  const auditRead = (seen: number[], words?: string) => {
    if (isAnswered) return write(seen, words ?? null);
    ids.push(...seen);
    detail = words ?? detail;
  };
  return {
    context: Object.assign(common(portal, caller, note), { db, auditRead, auditStrangers }),
    answered({ always }) {
      isAnswered = true;
      for (const { cpr, where } of strangers.values())
        write([], where, cpr === null ? note.subject : { ...note.subject, cpr });
      if (always || caller.actor.kind === "apiKey" || ids.length > 0 || detail !== null) write(ids, detail);
    },
  };
}

export const entryOf = ({ name, permission }: Declared, caller: Caller, { subject }: Note) => ({
  actor: caller.actor,
  caller,
  operation: name,
  permission,
  subject,
});

export function referralsIn(input: unknown): number[] {
  const id = typeof input === "object" && input !== null && "referralId" in input ? input.referralId : null;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? [id] : [];
}

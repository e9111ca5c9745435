import type { Db, Tx } from "~db/connection.server";
import { limitedReads } from "~db/read-limit.server";
import type { Portal } from "~/portal.server";
import { type Actor, hasAccount, type Person } from "./actor";
import type { Subject } from "./audit.server";
import type { Caller } from "./caller";
import type { Permission } from "./permissions";
import { Refusal } from "./refusal";

interface Common {
  actor: Actor;
  /** The signed-in person, or in whose name a key writes; throws `notSignedIn` for any other actor. */
  person: Person;
  caller: Caller;
  portal: Portal;
  /** The moment the operation began. */
  now: Date;
  /** Records the operation's subjects beside its referrals, for its audit row, also when it is refused. */
  concerns(subject: Subject): void;
}

/** What an operation has said for its audit row. */
export interface Note {
  subject: Subject;
}

export interface ReadContext extends Common {
  db: Db;
  /** Records which referrals the actor was shown; one audit row is written after the answer. A download calls it for each batch that it streams. */
  auditRead(referralIds: number[], detail?: string): void;
  /** Records people whom the actor was shown and of whom there is no referral: each gets an audit row of their own, so that they find it in their insight. */
  auditStrangers(people: readonly Stranger[]): void;
}

/** Somebody whom a file or a message names. */
interface Stranger {
  /** The CPR number; null where the row holds none that can be read. */
  cpr: string | null;
  /** The file or message, for the audit row. */
  where: string;
}

export interface ChangeContext extends Common {
  tx: Tx;
  outbox: ReturnType<Portal["outboxIn"]>;
  /** Records which referrals the change is about, for its audit row. */
  auditChange(referralIds: number[], detail?: string): void;
  /**
   * What others may only see of the change once it is committed: what is cached is invalidated, a worker is woken, a file that is not needed
   * any more is removed. Runs before the answer, in the order given, and not at all after a rollback. One that fails is logged and
   * undoes nothing; a crash before it must lose nothing.
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

/** What an operation's audit row says of itself. */
interface Declared {
  name: string;
  permission: Permission;
}

/**
 * What a read says of itself: one audit row when it has answered, and one for each batch that a download streams afterwards. `isLimited`: the
 * database ends statements that take too long, unless the portal itself asks, as its jobs do.
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
      // Every call with an API key is audited, also one that shows no referral.
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

/** The referral that an input asks for. */
export function referralsIn(input: unknown): number[] {
  const id = typeof input === "object" && input !== null && "referralId" in input ? input.referralId : null;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? [id] : [];
}

import type { z } from "zod";
import type { Db, Tx } from "~db/connection.server";
import { inTransaction, isStoreFull } from "~db/connection.server";
import { StoreFull } from "~/gateways/file-store/port";
import type { FileKind } from "~/files/file-rules";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import "~/text/fields.server";
import type { Actor, Person, WithRoles } from "./actor";
import { can, type Permission } from "./permissions";
import type { Subject } from "./audit.server";
import { claimForm, findFormResult, recordFormResult } from "./idempotency-store.server";
import { Refusal, type RefusalName } from "./refusal";
import type { ShownOnce } from "./sessions.server";

/** Which site a request is for; `local` is one's own machine outside production, where every role works. */
export type Site = "staff" | "public" | "local" | "inside";

export interface Caller {
  actor: Actor;
  site: Site;
  /** For throttles only; never stored in clear. */
  address: string;
  /** SHA-256 of the session's token; null for anyone who is not signed in. */
  sessionId: string | null;
  /** SHA-256 of the token that the cookie holds, also when its session has run out; absent where there is no cookie. */
  cookieId?: string;
  /** What the session holds to be shown once; absent for anyone without one. */
  flash?: ShownOnce;
  /** What came as files with this form. */
  files?: ReceivedFiles;
}

/** Files that Express stored before the action ran: staged until an operation claims them, or refused with a reason. */
export interface ReceivedFiles {
  staged: number[];
  /** `count` files under one text; `fileName` names them all. */
  refused: { field: string; fileName: string; text: string; count?: number }[];
}

/** What is said of each refused file, by the field it came in. */
export function refusedFileTexts(files: ReceivedFiles | undefined): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const { field, fileName, text } of files?.refused ?? []) (texts[field] ??= []).push(`${fileName}: ${text}`);
  return texts;
}

/** One message to show once on the next page. */
export interface Flash {
  tone: "success" | "error" | "info";
  text: string;
  /** The form whose answer it is, for a button that says how it went. */
  formId?: string;
  /** The change of statuses that a 'Fortryd' beside the message takes back. */
  undo?: number;
}

/** What a change answers. `to` is where the browser goes next; absent means back to the page it came from. */
export interface CommandResult {
  to?: string;
  flash?: Flash;
  /** Answered with 200 to the POST itself: a form that another part of the page replaces. */
  data?: Record<string, unknown>;
  /** The token of a session that begins with this answer. */
  session?: { token: string } | "ended";
  /** The next page shares no script with this one: the browser loads it as a whole. */
  reload?: true;
  /** A choice that the browser keeps, such as having seen a warning. */
  remember?: { name: string; maxAgeSeconds: number };
}

interface Common {
  actor: Actor;
  /** The signed-in person; throws `notSignedIn` for any other actor. */
  person: Person;
  caller: Caller;
  portal: Portal;
  /** The moment the operation began. */
  now: Date;
  /** Says whom the operation is about beside its referrals, for its audit row, also when it is refused. */
  concerns(subject: Subject): void;
}

/** What an operation has said for its audit row. */
interface Note {
  subject: Subject;
}

export interface ReadContext extends Common {
  db: Db;
  /** Says which referrals the actor was shown; one audit row is written after the answer. A download goes on saying so while it streams. */
  auditRead(referralIds: number[], detail?: string): void;
}

export interface ChangeContext extends Common {
  tx: Tx;
  outbox: ReturnType<Portal["outboxIn"]>;
  /** Says which referrals the change is about, for its audit row. */
  auditChange(referralIds: number[], detail?: string): void;
  /**
   * What others may only see of the change once it is committed: what is cached is invalidated, a worker is woken, a file that is not needed
   * any more is removed. Runs before the answer, in the order given, and not at all after a rollback. One that fails is logged and
   * undoes nothing; a crash before it must lose nothing.
   */
  afterCommit(work: () => Promise<void> | void): void;
}

export interface UploadField {
  kind: FileKind;
  maxBytes: number;
  maxFiles: number;
}

interface Declaration<S extends z.ZodType> {
  /** What is said when an unexpected error stops it, where the specification has words of its own; the form stays. */
  unexpectedErrorText?: string;
  /** Verb-noun; names the operation in the audit, the idempotency table and the authorisation table. */
  name: string;
  permission: Permission;
  input: S;
}

/** Only `execute` knows it, so that nothing runs unasked. */
const PERFORM = Symbol("perform");

export interface Operation<I = unknown, O = unknown> {
  kind: "read" | "lookUp" | "change" | "external";
  name: string;
  permission: Permission;
  input: z.ZodType<I>;
  unexpectedErrorText?: string;
  /** File fields that the form may carry; Express stores them before Remix reads the body. */
  uploads?: Record<string, UploadField>;
  /** The form carries `formKey`; sending it twice does it once. */
  idempotent: boolean;
  [PERFORM](portal: Portal, caller: Caller, input: I, note: Note): Promise<O>;
}

/** What an operation answers. */
export type ResultOf<T> = T extends { [PERFORM](...given: never[]): Promise<infer O> } ? O : never;

export const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && PERFORM in value;

function common(portal: Portal, caller: Caller, note: Note): Common {
  return {
    concerns: (subject) => void Object.assign(note.subject, subject),
    actor: caller.actor,
    get person() {
      if (caller.actor.kind !== "person") throw new Refusal("notSignedIn");
      return caller.actor;
    },
    caller,
    portal,
    now: portal.clock.now(),
  };
}

/** An operation that only reads. It holds no transaction. */
export function read<S extends z.ZodType, O>(
  declaration: Declaration<S> & { run(context: ReadContext, input: z.output<S>): Promise<O> },
): Operation<z.output<S>, O> {
  return {
    ...declaration,
    kind: "read",
    idempotent: false,
    input: declaration.input as unknown as z.ZodType<z.output<S>>,
    async [PERFORM](portal, caller, input, note) {
      const { context, answered } = reading(declaration, portal, caller, note);
      const result = await declaration.run(context, input);
      answered({ always: false });
      return result;
    },
  };
}

type Declared = Pick<Operation, "name" | "permission">;

/** What a read says of itself: one audit row when it has answered, and one for each batch that a download streams afterwards. */
function reading(
  declaration: Declared,
  portal: Portal,
  caller: Caller,
  note: Note,
): { context: ReadContext; answered(options: { always: boolean }): void } {
  const ids: number[] = [];
  let detail: string | null = null;
  let isAnswered = false;
  const write = (referralIds: number[], words: string | null) =>
    portal.audit.later({ ...entryOf(declaration, caller, note), outcome: "seen", referralIds, detail: words });
  const auditRead = (seen: number[], words?: string) => {
    if (isAnswered) return write(seen, words ?? null);
    ids.push(...seen);
    detail = words ?? detail;
  };
  return {
    context: Object.assign(common(portal, caller, note), { db: portal.db, auditRead }),
    answered({ always }) {
      isAnswered = true;
      if (always || ids.length > 0) write(ids, detail);
    },
  };
}

/**
 * A read that a form asks for: a filter, a search, a register. It holds no transaction and takes no write lock, and is always entered in the
 * audit, in a batch after the answer. `data` answers the POST itself; `to` leads to where the answer is.
 */
export function lookUp<S extends z.ZodType, O extends Pick<CommandResult, "data" | "to" | "remember">>(
  declaration: Declaration<S> & { run(context: ReadContext, input: z.output<S>): Promise<O> },
): Operation<z.output<S>, O> {
  return {
    ...declaration,
    kind: "lookUp",
    idempotent: false,
    input: declaration.input as unknown as z.ZodType<z.output<S>>,
    async [PERFORM](portal, caller, input, note) {
      const { context, answered } = reading(declaration, portal, caller, note);
      const result = await declaration.run(context, input);
      answered({ always: true });
      return result;
    },
  };
}

interface Changing<S extends z.ZodType, O> extends Declaration<S> {
  uploads?: Record<string, UploadField>;
  idempotent?: boolean;
  run(context: ChangeContext, input: z.output<S>): Promise<O>;
}

/** An operation that writes. `run` is one transaction and awaits SQL only; a deadlock repeats it once. */
export function change<S extends z.ZodType, O extends CommandResult>(
  declaration: Changing<S, O>,
): Operation<z.output<S>, CommandResult> {
  return {
    ...declaration,
    kind: "change",
    idempotent: declaration.idempotent ?? false,
    input: declaration.input as unknown as z.ZodType<z.output<S>>,
    [PERFORM]: (portal, caller, input, note) =>
      transact(declaration, { portal, caller, input, note }, (context) => declaration.run(context, input)),
  };
}

/**
 * A change with something slow before it: network, hashing and file work happen in `prepare`, without a transaction, because
 * SQLite has one connection and a transaction that waits freezes the portal.
 */
export function external<S extends z.ZodType, P, O extends CommandResult>(
  declaration: Declaration<S> & {
    uploads?: Record<string, UploadField>;
    idempotent?: boolean;
    prepare(context: ReadContext, input: z.output<S>): Promise<P>;
    run(context: ChangeContext, input: z.output<S>, prepared: P): Promise<O>;
  },
): Operation<z.output<S>, CommandResult> {
  return {
    ...declaration,
    kind: "external",
    idempotent: declaration.idempotent ?? false,
    input: declaration.input as unknown as z.ZodType<z.output<S>>,
    async [PERFORM](portal, caller, input, note) {
      const prepared = await declaration.prepare(reading(declaration, portal, caller, note).context, input);
      return transact(declaration, { portal, caller, input, note }, (context) =>
        declaration.run(context, input, prepared),
      );
    },
  };
}

const entryOf = ({ name, permission }: Declared, caller: Caller, { subject }: Note) => ({
  actor: caller.actor,
  caller,
  operation: name,
  permission,
  subject,
});

async function transact<O extends CommandResult>(
  declaration: { name: string; permission: Permission; idempotent?: boolean },
  { portal, caller, input, note }: { portal: Portal; caller: Caller; input: unknown; note: Note },
  work: (context: ChangeContext) => Promise<O>,
): Promise<CommandResult> {
  const formKey = declaration.idempotent ? formKeyOf(input) : null;
  const personId = caller.actor.kind === "person" ? caller.actor.id : 0;
  let afterwards: (() => Promise<void> | void)[] = [];
  const done = await inTransaction(portal.db, async (tx): Promise<CommandResult> => {
    // A deadlock runs this again: what the first run wanted is void.
    afterwards = [];
    const shared = common(portal, caller, note);
    const form = formKey === null ? null : { userId: personId, operation: declaration.name, formKey };
    if (form !== null && !(await claimForm(tx, form, shared.now))) {
      const to = await findFormResult(tx, form);
      return to ? { to } : {};
    }
    const changed: number[] = [];
    let detail: string | null = null;
    const context = Object.assign(shared, {
      tx,
      outbox: portal.outboxIn(tx),
      auditChange: (ids: number[], words?: string) => {
        changed.push(...ids);
        detail = words ?? detail;
      },
      afterCommit: (each: () => Promise<void> | void) => void afterwards.push(each),
    });
    const result = await work(context);
    if (form !== null) await recordFormResult(tx, form, result.to ?? "");
    await portal.audit.within(
      tx,
      { ...entryOf(declaration, caller, note), outcome: "done", referralIds: changed, detail },
      toMoment(shared.now),
    );
    return result;
  });
  for (const each of afterwards) {
    try {
      await each();
    } catch (error) {
      portal.log.error({ err: error, operation: declaration.name }, "work after the commit failed");
    }
  }
  return done;
}

function formKeyOf(input: unknown): string | null {
  const key = typeof input === "object" && input !== null && "formKey" in input ? input.formKey : null;
  return typeof key === "string" && key !== "" ? key : null;
}

/** Turns what was sent into what the operation takes, or throws. The caller's rights are checked before it is called. */
export type InputReader = <I>(schema: z.ZodType<I>) => Promise<I> | I;

/** Input that is already an object: route parameters, a query, a command's arguments. Throws `invalid`. */
export function plainInput(raw: unknown): InputReader {
  return (schema) => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    throw new Refusal("invalid");
  };
}

/**
 * The only way in: checks who asks, reads what they sent, and runs the operation.
 *
 * Throws `Refusal`: `notSignedIn`, `notAllowed`, `invalid`, and what the operation itself refuses.
 */
export async function execute<I, O>(
  portal: Portal,
  caller: Caller,
  operation: Operation<I, O>,
  input: InputReader,
): Promise<O> {
  const note: Note = { subject: {} };
  let parsed: I | undefined;
  try {
    authorise(portal, caller, operation.permission);
    parsed = await input(operation.input);
    return await operation[PERFORM](portal, caller, parsed, note);
  } catch (error) {
    if (isStoreFull(error) || error instanceof StoreFull) throw new Refusal("storeFull");
    if (error instanceof Refusal && AUDITED.has(error.name)) {
      // Of somebody without the right nothing was read, so nothing is known of what they asked for.
      portal.audit.refused({
        ...entryOf(operation, caller, note),
        outcome: "refused",
        referralIds: referralsIn(parsed),
        detail: error.name,
      });
    }
    throw error;
  }
}

/** Refusals that show that somebody tried what they may not, or guessed. */
const AUDITED: ReadonlySet<RefusalName> = new Set([
  "notAllowed",
  "notInScope",
  "otherClinic",
  "wrongCredentials",
  "wrongCurrentPassword",
  "tokenInvalid",
  "accountUnknown",
  "tooManyAttempts",
  "patientEmailTaken",
]);

/** The referral that an input asks for. */
function referralsIn(input: unknown): number[] {
  const id = typeof input === "object" && input !== null && "referralId" in input ? input.referralId : null;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? [id] : [];
}

/** Throws `notSignedIn` or `notAllowed` unless the caller may use the permission on this site. */
export function authorise(portal: Portal, caller: Caller, permission: Permission): void {
  if (permission === "development" && portal.config.production) throw new Refusal("notInScope");
  if (permission === "public" || permission === "development") return;
  if (caller.actor.kind === "anonymous") throw new Refusal("notSignedIn");
  if (!can(caller.actor, permission)) throw new Refusal("notAllowed");
  if (caller.actor.kind !== "person") return;
  if (!mayUseSite(caller.actor, caller.site)) throw new Refusal("notAllowed");
  if (permission !== "signedIn" && caller.actor.mustAcceptConditions) throw new Refusal("conditionsNotAccepted");
}

/** The staff host is for staff alone, the public host for everybody else with a role (docs/access.md). */
export function mayUseSite(person: WithRoles, site: Site): boolean {
  const isStaffs = can(person, "site.staff");
  if (site === "staff") return isStaffs;
  if (site === "public") return !isStaffs && can(person, "site.public");
  return isStaffs || can(person, "site.public");
}

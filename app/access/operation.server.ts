import type { z } from "zod";
import type { Db, Tx } from "~db/connection.server";
import { inTransaction, insertUnlessThere, isStoreFull } from "~db/connection.server";
import { StoreFull } from "~/gateways/file-store/port";
import type { FileKind } from "~/features/images/file-rules";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import "~/text/fields.server";
import { type Actor, isStaff, type Person } from "./actor";
import { can, type Permission } from "./permissions";
import { Refusal } from "./refusal";
import type { ShownOnce } from "./sessions.server";

/** Which door a request came through; `local` is one's own machine outside production, where every role works. */
export type Door = "staff" | "public" | "local" | "inside";

export interface Caller {
  actor: Actor;
  door: Door;
  /** For throttles only; never stored in clear. */
  address: string;
  /** SHA-256 of the session's token; null for anyone who is not signed in. */
  sessionId: string | null;
  /** SHA-256 of the token that the cookie holds, also when its session has run out; absent where there is no cookie. */
  cookieId?: string;
  /** What the session holds to be shown once; absent for anyone without one. */
  once?: ShownOnce;
  /** What came as files with this form. */
  files?: ReceivedFiles;
}

/** Files that Express stored before the action ran: held until an operation claims them, or refused with a reason. */
export interface ReceivedFiles {
  held: number[];
  refused: { field: string; fileName: string; text: string }[];
}

/** What is said of each refused file, by the field it came in. */
export function refusedFileTexts(files: ReceivedFiles | undefined): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const { field, fileName, text } of files?.refused ?? []) (texts[field] ??= []).push(`${fileName}: ${text}`);
  return texts;
}

/** One message to show once on the next page (design/architecture.md, The form protocol). */
export interface Flash {
  tone: "success" | "error" | "info";
  text: string;
  /** The form whose answer it is, for a button that says how it went. */
  formId?: string;
}

/** What a change answers. `to` is where the browser goes next; absent means back to the page it came from. */
export interface Done {
  to?: string;
  flash?: Flash;
  /** Answered with 200 to the POST itself: a look-up, or a form that another part of the page replaces. */
  found?: Record<string, unknown>;
  /** The token of a session that begins with this answer. */
  session?: { token: string } | "ended";
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
}

export interface ReadContext extends Common {
  db: Db;
  /** Says which referrals the actor was shown; one audit row is written after the answer. */
  saw(referralIds: number[]): void;
}

export interface ChangeContext extends Common {
  tx: Tx;
  outbox: ReturnType<Portal["outboxIn"]>;
  /** Says which referrals the change is about, for its audit row. */
  touched(referralIds: number[], detail?: string): void;
}

export interface UploadField {
  kind: FileKind;
  maxBytes: number;
  maxFiles: number;
}

interface Declaration<S extends z.ZodType> {
  /** What is said when a fault of ours stops it, where the specification has words of its own; the form stays. */
  faultText?: string;
  /** Verb-noun; names the operation in the audit, the idempotency table and the authorisation table. */
  name: string;
  permission: Permission;
  input: S;
}

export interface Operation<I = unknown, O = unknown> {
  kind: "read" | "change" | "external";
  name: string;
  permission: Permission;
  input: z.ZodType<I>;
  faultText?: string;
  /** File fields that the form may carry; Express stores them before Remix reads the body. */
  uploads?: Record<string, UploadField>;
  /** The form carries `formKey`; sending it twice does it once. */
  once: boolean;
  perform(portal: Portal, caller: Caller, input: I): Promise<O>;
}

function common(portal: Portal, caller: Caller): Common {
  return {
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
    once: false,
    input: declaration.input as unknown as z.ZodType<z.output<S>>,
    async perform(portal, caller, input) {
      const seen: number[] = [];
      const context = Object.assign(common(portal, caller), { db: portal.db, saw: (ids: number[]) => void seen.push(...ids) });
      const result = await declaration.run(context, input);
      if (seen.length > 0) portal.audit.later({ actor: caller.actor, operation: declaration.name, outcome: "seen", referralIds: seen });
      return result;
    },
  };
}

interface Changing<S extends z.ZodType, O> extends Declaration<S> {
  uploads?: Record<string, UploadField>;
  once?: boolean;
  run(context: ChangeContext, input: z.output<S>): Promise<O>;
}

/** An operation that writes. `run` is one transaction and awaits SQL only; a deadlock repeats it once. */
export function change<S extends z.ZodType, O extends Done>(declaration: Changing<S, O>): Operation<z.output<S>, Done> {
  return {
    ...declaration,
    kind: "change",
    once: declaration.once ?? false,
    input: declaration.input as unknown as z.ZodType<z.output<S>>,
    perform: (portal, caller, input) => transact(declaration, portal, caller, input, (context) => declaration.run(context, input)),
  };
}

/**
 * A change with something slow before it: network, hashing and file work happen in `prepare`, without a transaction, because
 * SQLite has one connection and a transaction that waits freezes the portal. `settled` comes after the commit: it tidies away what
 * only an undone transaction would have needed again. A crash before it must lose nothing.
 */
export function external<S extends z.ZodType, P, O extends Done>(
  declaration: Declaration<S> & {
    uploads?: Record<string, UploadField>;
    once?: boolean;
    prepare(context: ReadContext, input: z.output<S>): Promise<P>;
    run(context: ChangeContext, input: z.output<S>, prepared: P): Promise<O>;
    settled?(context: ReadContext, input: z.output<S>): Promise<void>;
  },
): Operation<z.output<S>, Done> {
  return {
    ...declaration,
    kind: "external",
    once: declaration.once ?? false,
    input: declaration.input as unknown as z.ZodType<z.output<S>>,
    async perform(portal, caller, input) {
      const reading = Object.assign(common(portal, caller), { db: portal.db, saw: () => undefined });
      const prepared = await declaration.prepare(reading, input);
      const done = await transact(declaration, portal, caller, input, (context) => declaration.run(context, input, prepared));
      await declaration.settled?.(reading, input);
      return done;
    },
  };
}

async function transact<O extends Done>(
  declaration: { name: string; once?: boolean },
  portal: Portal,
  caller: Caller,
  input: unknown,
  work: (context: ChangeContext) => Promise<O>,
): Promise<Done> {
  const formKey = declaration.once ? formKeyOf(input) : null;
  const personId = caller.actor.kind === "person" ? caller.actor.id : 0;
  return inTransaction(portal.db, async (tx): Promise<Done> => {
    const shared = common(portal, caller);
    const now = toMoment(shared.now);
    const key = { user_id: personId, operation: declaration.name, form_key: formKey ?? "" };
    if (formKey !== null && !(await insertUnlessThere(tx, "idempotency", { ...key, location: "", created_at: now }))) {
      const first = await tx.selectFrom("idempotency").select("location").where((eb) => eb.and(key)).executeTakeFirstOrThrow();
      return first.location === "" ? {} : { to: first.location };
    }
    const touched: number[] = [];
    let detail: string | null = null;
    const context = Object.assign(shared, {
      tx,
      outbox: portal.outboxIn(tx),
      touched: (ids: number[], words?: string) => {
        touched.push(...ids);
        detail = words ?? detail;
      },
    });
    const result = await work(context);
    if (formKey !== null) {
      await tx.updateTable("idempotency").set({ location: result.to ?? "" }).where((eb) => eb.and(key)).execute();
    }
    await portal.audit.within(tx, { actor: caller.actor, operation: declaration.name, outcome: "done", referralIds: touched, detail }, now);
    return result;
  });
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
export async function execute<I, O>(portal: Portal, caller: Caller, operation: Operation<I, O>, input: InputReader): Promise<O> {
  authorise(portal, caller, operation.permission);
  const parsed = await input(operation.input);
  try {
    return await operation.perform(portal, caller, parsed);
  } catch (error) {
    if (isStoreFull(error) || error instanceof StoreFull) throw new Refusal("storeFull");
    throw error;
  }
}

/** Throws `notSignedIn` or `notAllowed` unless the caller may use the permission through this door. */
export function authorise(portal: Portal, caller: Caller, permission: Permission): void {
  if (permission === "development" && portal.config.production) throw new Refusal("notInScope");
  if (permission === "public" || permission === "development") return;
  if (caller.actor.kind === "anonymous") throw new Refusal("notSignedIn");
  if (!can(caller.actor, permission)) throw new Refusal("notAllowed");
  if (caller.actor.kind !== "person") return;
  if (!mayUseDoor(caller.actor, caller.door)) throw new Refusal("notAllowed");
  if (permission !== "signedIn" && caller.actor.mustAcceptConditions) throw new Refusal("conditionsNotAccepted");
}

/** The staff host is for staff alone, the public host for everybody else (specification 1 §6). */
function mayUseDoor(person: Person, door: Door): boolean {
  if (door === "staff") return isStaff(person);
  if (door === "public") return !isStaff(person);
  return true;
}

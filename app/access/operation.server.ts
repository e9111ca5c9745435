import { z } from "zod";
import type { FileKind } from "~/files/file-rules";
import type { Portal } from "~/portal.server";
import { authorise } from "./authorise.server";
import type { Caller, CommandResult, Flash } from "./caller";
import {
  type ChangeContext,
  entryOf,
  type Note,
  type ReadContext,
  reading,
  referralsIn,
  common,
} from "./operation-context.server";
import type { Edit } from "./edit.server";
import type { SeenVersions } from "./form-ticket.server";
import type { Permission } from "./permissions";
import { Refusal, type RefusalName } from "./refusal";
import { inTransaction, isStoreFull } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { hasAccount } from "./actor";
import {
  discardFormFiles,
  findFormContents,
  claimForm,
  findFormAnswer,
  type FormOfOperation,
  type RecordedAnswer,
  recordFormAnswer,
} from "./idempotency-store.server";
import type { Secrets } from "./secrets.server";
import { StoreFull, StoreUnavailable, WrongContent } from "~/gateways/file-store/port";
import { isOverReadLimit } from "~db/read-limit.server";

export type { ChangeContext, ReadContext };

export interface UploadField {
  kind: FileKind;
  maxBytes: number;
  maxFiles: number;
  unpacks?: boolean;
}

interface Declaration<S extends z.ZodType> {
  unexpectedErrorText?: string;
  /** Verb and noun; names the operation in the audit, the idempotency table and the authorisation table. */
  name: string;
  permission: Permission;
  input?: S;
}

/** A number of a row or a version, as a form, an address or the API sends it. */
export const wholeNumber = z.coerce.number().int();

/** The answer of a command that did what it was asked to. `more` says which form shows it and what takes it back. */
export const succeeded = (text: string, more?: Omit<Flash, "tone" | "text">): { flash: Flash } => ({
  flash: { tone: "success", text, ...more },
});

/** The answer to a form that changes nothing; the audit says so too. */
export function nothingChanged({ auditChange }: Pick<ChangeContext, "auditChange">): { flash: Flash } {
  auditChange([], "nothing changed");
  return { flash: { tone: "info", text: "Ingen ændringer." } };
}

/** An address of the portal: the page of a form, or the one that follows it. */
export const pageAddress = z.string().max(8000).optional();

export const ofReferral = z.object({ referralId: wholeNumber });

/** The key that a form's uploads wait under. */
export const keyedForm = z.object({ formKey: z.string().max(64) });

const nothing = z.object({});
type Nothing = typeof nothing;

/** A declaration's schema; the cast keeps the schema's output and drops its input. */
const inputOf = <S extends z.ZodType>({ input }: Declaration<S>) =>
  (input ?? nothing) as unknown as z.ZodType<z.output<S>>;

const PERFORM = Symbol("perform");

export interface Operation<I = unknown, O = unknown> {
  kind: "read" | "lookUp" | "change" | "external";
  name: string;
  permission: Permission;
  input: z.ZodType<I>;
  unexpectedErrorText?: string;
  uploads?: Record<string, UploadField>;
  /** Sending the form twice with the same words and files runs the operation once; an edit always does. */
  idempotent: boolean;
  /** Which version `seenVersion` is compared with; `version` by default. */
  seen?: keyof SeenVersions;
  /** Name of the ticket's rows whose highest id becomes the input `newestShown`. */
  newest?: string;
  edit?: Edit;
  [PERFORM](portal: Portal, caller: Caller, input: I, note: Note): Promise<O>;
}

export type ResultOf<T> = T extends { [PERFORM](...given: never[]): Promise<infer O> } ? O : never;

export const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && PERFORM in value;

interface Reading<S extends z.ZodType, O> extends Declaration<S> {
  run(context: ReadContext, input: z.output<S>): Promise<O>;
}

/** An operation that only reads. It holds no transaction. */
export const read = <O, S extends z.ZodType = Nothing>(declaration: Reading<S, O>) => readAs("read", declaration);

/**
 * A read that a form starts, such as a filter, search or register look-up. It takes no write lock and is always
 * audited, in a batch after the answer. `data` answers the POST itself; `to` redirects to the page with the answer.
 */
export const lookUp = <O extends Pick<CommandResult, "data" | "to" | "remember">, S extends z.ZodType = Nothing>(
  declaration: Reading<S, O>,
) => readAs("lookUp", declaration);

function readAs<S extends z.ZodType, O>(
  kind: "read" | "lookUp",
  declaration: Reading<S, O>,
): Operation<z.output<S>, O> {
  return {
    ...declaration,
    kind,
    idempotent: false,
    input: inputOf(declaration),
    async [PERFORM](portal, caller, input, note) {
      const { context, answered } = reading(declaration, portal, caller, note, { isLimited: true });
      const result = await declaration.run(context, input);
      answered({ always: kind === "lookUp" });
      return result;
    },
  };
}

interface Changing<S extends z.ZodType>
  extends Declaration<S>, Pick<Operation, "uploads" | "seen" | "newest" | "edit"> {
  idempotent?: boolean;
}

/**
 * Whether the same form is carried out once. By default every edit is: its second sending would conflict with the first
 * where the stored value reads differently from the typed one, such as a price. Where both read alike an operation may
 * set `idempotent: false`; the second sending is then judged by what is stored.
 */
const isIdempotent = ({ idempotent, edit }: Pick<Changing<z.ZodType>, "idempotent" | "edit">) =>
  idempotent ?? edit !== undefined;

/** An operation that writes. `run` is one transaction and awaits SQL only; a deadlock reruns it once. */
export function change<S extends z.ZodType = Nothing>(
  declaration: Changing<S> & { run(context: ChangeContext, input: z.output<S>): Promise<CommandResult> },
): Operation<z.output<S>, CommandResult> {
  return {
    ...declaration,
    kind: "change",
    idempotent: isIdempotent(declaration),
    input: inputOf(declaration),
    [PERFORM]: (portal, caller, input, note) =>
      transact(declaration, { portal, caller, input, note }, async (context) =>
        declaration.edit?.savesOnly && caller.edited?.isUntouched
          ? nothingChanged(context)
          : declaration.run(context, input),
      ),
  };
}

/**
 * A change preceded by slow work. Network, hashing and file work happen in `prepare` outside the transaction: SQLite
 * has one connection, and a transaction that waits freezes the portal.
 */
export function external<P, S extends z.ZodType = Nothing>(
  declaration: Changing<S> & {
    prepare(context: ReadContext, input: z.output<S>): Promise<P>;
    run(context: ChangeContext, input: z.output<S>, prepared: P): Promise<CommandResult>;
  },
): Operation<z.output<S>, CommandResult> {
  return {
    ...declaration,
    kind: "external",
    idempotent: isIdempotent(declaration),
    input: inputOf(declaration),
    async [PERFORM](portal, caller, input, note) {
      // Operations executed by `prepare` are changes with commits of their own.
      const { beforeCommit: _commit, afterBegin: _begin, ...preparing } = caller;
      const prepared = await declaration.prepare(
        reading(declaration, portal, preparing, note, { isLimited: false }).context,
        input,
      );
      return transact(declaration, { portal, caller, input, note }, (context) =>
        declaration.run(context, input, prepared),
      );
    },
  };
}

export type InputReader = <I>(schema: z.ZodType<I>) => Promise<I> | I;

/** Input that is already an object: route parameters, a query, a command's arguments. Throws `invalid`. */
export function plainInput(raw: unknown): InputReader {
  return (schema) => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    const { fieldErrors } = z.flattenError(parsed.error) as { fieldErrors: Record<string, string[]> };
    throw new Refusal("invalid", { fields: fieldErrors });
  };
}

/**
 * Runs an operation: authorises the caller, parses the input, executes. Throws `Refusal`: `notSignedIn`, `notAllowed`,
 * `invalid`, and the operation's own refusals.
 */
export async function execute<I, O>(
  portal: Portal,
  caller: Caller,
  operation: Operation<I, O>,
  input: InputReader = plainInput({}),
): Promise<O> {
  const note: Note = { subject: {} };
  let parsed: I | undefined;
  try {
    authorise(portal, caller, operation.permission);
    parsed = await input(operation.input);
    return await operation[PERFORM](portal, caller, parsed, note);
  } catch (error) {
    const ofStore = storeRefusal(error);
    if (ofStore !== null) {
      portal.log.error({ err: error, operation: operation.name }, "store failed");
      throw ofStore;
    }
    if (error instanceof Refusal && (AUDITED.has(error.name) || caller.actor.kind === "apiKey")) {
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

const AUDITED: ReadonlySet<RefusalName> = new Set([
  "notAllowed",
  "notInScope",
  "otherClinic",
  "wrongCredentials",
  "wrongCurrentPassword",
  "wrongCode",
  "tokenInvalid",
  "accountUnknown",
  "tooManyAttempts",
  "patientEmailTaken",
]);

/**
 * Runs a change and its audit row in one transaction. An `idempotent` one runs once per form, typed text and chosen
 * files (docs/decisions/0114). Work for after the commit runs even if a part of it fails.
 */
async function transact(
  declaration: { name: string; permission: Permission; uploads?: Record<string, unknown> } & Parameters<
    typeof isIdempotent
  >[0],
  { portal, caller, input, note }: { portal: Portal; caller: Caller; input: unknown; note: Note },
  work: (context: ChangeContext) => Promise<CommandResult>,
): Promise<CommandResult> {
  const key = isIdempotent(declaration) ? (caller.formNonce ?? formKeyIn(input)) : null;
  const personId = hasAccount(caller.actor) ? caller.actor.id : 0;
  const fields = Object.keys(declaration.uploads ?? {});
  // Uploads of a page's form wait under the form's own key, not under the page's.
  const staged = key === null ? null : { ownerId: personId, formKey: formKeyIn(input) ?? key, fields };
  let afterwards: (() => Promise<void> | void)[] = [];
  const done = await inTransaction(
    portal.db,
    async (tx): Promise<CommandResult> => {
      afterwards = [];
      const shared = common(portal, caller, note);
      await caller.afterBegin?.(tx);
      const files = staged === null ? [] : await findFormContents(tx, staged);
      const formOf = (what: unknown) => formOfOperation(portal, caller, declaration, what);
      const asked = caller.formWords ?? input;
      const form = key === null ? null : formOf([key, asked, files]);
      if (form !== null && !(await claimForm(tx, form, shared.now))) {
        await discardFormFiles(tx, staged!, shared.now);
        const answer = openAnswer(portal.secrets, form, (await findFormAnswer(tx, form)) ?? {});
        await caller.beforeCommit?.(tx, answer);
        return answer;
      }
      const changed = referralsIn(input);
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
      if (form !== null) {
        await recordFormAnswer(tx, form, sealAnswer(portal.secrets, form, result));
        // A file that arrived with an earlier, refused submission is not sent again, so the form without it is the same
        // form.
        if (files.length > 0) {
          const withoutFiles = formOf([key, asked, []]);
          await claimForm(tx, withoutFiles, shared.now);
          await recordFormAnswer(tx, withoutFiles, sealAnswer(portal.secrets, withoutFiles, result));
        }
        await discardFormFiles(tx, staged!, shared.now);
      }
      await portal.audit.within(
        tx,
        { ...entryOf(declaration, caller, note), outcome: "done", referralIds: changed, detail },
        toMoment(shared.now),
      );
      await caller.beforeCommit?.(tx, result);
      return result;
    },
    portal.clock.now(),
  );
  for (const each of afterwards) {
    try {
      await each();
    } catch (error) {
      portal.log.error({ err: error, operation: declaration.name }, "work after the commit failed");
    }
  }
  return done;
}

const formOfOperation = (
  { secrets }: Pick<Portal, "secrets">,
  { actor }: Caller,
  { name }: { name: string },
  what: unknown,
): FormOfOperation => ({
  userId: hasAccount(actor) ? actor.id : 0,
  operation: name,
  formKey: secrets.lookup("form", JSON.stringify(what)),
});

/** The answer to the form of an operation without files, where it was carried out before with the same words. */
export async function answeredBefore(
  portal: Portal,
  caller: Caller,
  operation: { name: string },
): Promise<CommandResult | null> {
  const form = formOfOperation(portal, caller, operation, [caller.formNonce, caller.formWords, []]);
  const answer = await findFormAnswer(portal.db, form);
  return answer && openAnswer(portal.secrets, form, answer);
}

function formKeyIn(input: unknown): string | null {
  const key = typeof input === "object" && input !== null && "formKey" in input ? input.formKey : null;
  return typeof key === "string" && key !== "" ? key : null;
}

function sealAnswer(secrets: Secrets, form: FormOfOperation, { to, flash }: CommandResult): RecordedAnswer {
  return { to, sealedFlash: flash && secrets.encrypt("seal", JSON.stringify(flash), contextOf(form)) };
}

function openAnswer(secrets: Secrets, form: FormOfOperation, { to, sealedFlash }: RecordedAnswer) {
  const plain = sealedFlash === undefined ? null : secrets.decrypt("seal", sealedFlash, contextOf(form));
  return { to, flash: plain === null ? undefined : (JSON.parse(plain) as Flash) };
}

const contextOf = ({ userId, operation, formKey }: FormOfOperation) => `idempotency ${userId} ${operation} ${formKey}`;

/** The refusal for a full or unavailable disk or file store, or a slow database; null for any other error. */
export function storeRefusal(error: unknown): Refusal | null {
  if (isStoreFull(error) || error instanceof StoreFull) return new Refusal("storeFull");
  if (isOverReadLimit(error)) return new Refusal("tooBusy", { retryAfterSeconds: 30 });
  if (error instanceof StoreUnavailable) return new Refusal("storeAway");
  return error instanceof WrongContent ? new Refusal("fileAltered") : null;
}

import { z } from "zod";
import { storeRefusal } from "./store-refusal.server";
import type { FileKind } from "~/files/file-rules";
import type { Portal } from "~/portal.server";
import { authorise } from "./authorise.server";
import type { Caller } from "./caller";
import type { CommandResult } from "./command-result";
import {
  type ChangeContext,
  entryOf,
  type Note,
  type ReadContext,
  reading,
  referralsIn,
} from "./operation-context.server";
import type { SeenVersions } from "./form-ticket.server";
import type { Permission } from "./permissions";
import { Refusal, type RefusalName } from "./refusal";
import { transact } from "./transact.server";

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
  input: S;
}

const PERFORM = Symbol("perform");

export interface Operation<I = unknown, O = unknown> {
  kind: "read" | "lookUp" | "change" | "external";
  name: string;
  permission: Permission;
  input: z.ZodType<I>;
  unexpectedErrorText?: string;
  uploads?: Record<string, UploadField>;
  /** Sending the form twice with the same words and files runs the operation once. */
  idempotent: boolean;
  /** Which version `seenVersion` is compared with; `version` by default. */
  seen?: keyof SeenVersions;
  [PERFORM](portal: Portal, caller: Caller, input: I, note: Note): Promise<O>;
}

export type ResultOf<T> = T extends { [PERFORM](...given: never[]): Promise<infer O> } ? O : never;

export const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && PERFORM in value;

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
      const { context, answered } = reading(declaration, portal, caller, note, { isLimited: true });
      const result = await declaration.run(context, input);
      answered({ always: false });
      return result;
    },
  };
}

/**
 * A read that a form starts, such as a filter, search or register look-up. It takes no write lock and is always
 * audited, in a batch after the answer. `data` answers the POST itself; `to` redirects to the page with the answer.
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
      const { context, answered } = reading(declaration, portal, caller, note, { isLimited: true });
      const result = await declaration.run(context, input);
      answered({ always: true });
      return result;
    },
  };
}

interface Changing<S extends z.ZodType, O> extends Declaration<S> {
  uploads?: Record<string, UploadField>;
  idempotent?: boolean;
  seen?: keyof SeenVersions;
  run(context: ChangeContext, input: z.output<S>): Promise<O>;
}

/** An operation that writes. `run` is one transaction and awaits SQL only; a deadlock reruns it once. */
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
 * A change preceded by slow work. Network, hashing and file work happen in `prepare` outside the transaction: SQLite
 * has one connection, and a transaction that waits freezes the portal.
 */
export function external<S extends z.ZodType, P, O extends CommandResult>(
  declaration: Declaration<S> & {
    uploads?: Record<string, UploadField>;
    idempotent?: boolean;
    seen?: keyof SeenVersions;
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
      // Operations executed by `prepare` are changes with commits of their own.
      const { beforeCommit: _, ...preparing } = caller;
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
  input: InputReader,
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

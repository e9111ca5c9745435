import type { Submission, SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import type { CommandResult } from "~/access/caller";
import { boundFields, type FormTicket, stagingKey, subjectOf, ticketIn } from "~/access/form-ticket.server";
import type { InputReader, Operation } from "~/access/operation.server";
import type { Edit, StoredValues } from "~/access/edit.server";
import { Refusal } from "~/access/refusal";
import { pathOf, refusedPage } from "../runners/refused-page.server";
import { NOTHING } from "~/ui/forms/button";
import { typedNameOf } from "~/text/typed-choice";
import { type ControlValues, readOpened } from "~/text/control-values";
import type { ActionResult } from "./action-result";
import { type Merged, mergeFields } from "./merge-fields.server";
import { hasUnknownNames, HIDDEN_FIELDS, oneTextEach, refuseRepeats } from "./form-fields.server";

// The intent chooses the operation at run time, so inputs differ.
export type AnyOperation = Operation<any, CommandResult>;

export interface SubmittedForm {
  formId: string | null;
  intent: string;
  operation: AnyOperation | null;
  ticket: FormTicket | null;
  carried: ActionResult["ticket"] | null;
  refusal: Refusal | null;
  formKey: string | null;
  /** Has only buttons, so there is no field for an error. */
  isOfButtons: boolean;
  /** A row's form, which is gone when somebody else was first. */
  isInRow: boolean;
  /** Staged file that its button removes; null for other buttons. */
  removesStaged: string | null;
  /** Field whose present value its button takes after a conflict; null for other buttons. */
  takesPresent: string | null;
  /** Sent by Enter where Enter does nothing. */
  asksNothing: boolean;
  /** Fields after a file that could not be stored are missing. */
  isCut: boolean;
  /** What the form was opened with: as it was sent, or as of the last merge. */
  opened(): string | undefined;
  /** Text fields of the form that say what is asked for, as they were sent. */
  words(): [name: string, value: string][];
  /** Merges the form with what is stored now; see `mergeFields`. */
  merge(stored: StoredValues, edit: Edit, seen?: ControlValues): Merged;
  bound(name: string): string | null;
  input: InputReader;
  typed(): Record<string, unknown>;
  /** Values and errors for the answer, without secrets. */
  reply(errors: FormErrors): SubmissionResult<string[]>;
}

interface FormErrors {
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
}

export class InvalidForm extends Error {
  constructor(readonly submission: SubmissionResult<string[]>) {
    super("invalid form");
  }
}

/**
 * Reads the form of an action; `intent` chooses the operation. Throws an error page (a Response) for a form that broke
 * off or has unknown names.
 */
export function readSubmittedForm(
  { request, context }: ActionFunctionArgs,
  operations: Record<string, AnyOperation>,
): SubmittedForm {
  const { form } = context;
  if (form === null) throw refusedPage(request, new Refusal("uploadBroken"));
  if (hasUnknownNames(form, Object.values(operations))) throw refusedPage(request, new Refusal("formUnreadable"));
  addAddresses(form, request);
  const intent = textOf(form, "intent") ?? textOf(form, "defaultIntent") ?? "";
  const ticket = ticketIn(context.portal.secrets, context.site, form);
  const operation =
    ticket === "stale" ? undefined : Object.hasOwn(operations, intent) ? operations[intent] : operations["*"];
  const refusal = ticket === null || ticket === "stale" ? null : bind(form, ticket, operation);
  const schema: z.ZodType = operation?.input ?? z.looseObject({});
  let submission: Submission<unknown, string[]> | undefined;
  const parsed = () => (submission ??= parseWithZod(form, { schema }));
  const sent = new FormData();
  for (const [name, value] of form) sent.append(name, value);
  let opened = textOf(form, "opened") ?? undefined;
  let mayStay: readonly string[] = [];
  /** Takes out stored values that would be refused today, if all others are right. */
  const keepRefused = (refused: readonly string[]) => {
    if (!refused.every((name) => mayStay.includes(name))) return;
    for (const name of refused) {
      form.delete(name);
      form.append(UNCHANGED, name);
    }
    submission = undefined;
  };
  const reply = (errors: FormErrors) => {
    const given = parsed().reply({ ...errors, hideFields: NEVER_SENT_BACK });
    const { initialValue } = given;
    if (!initialValue) return given;
    const kept = form.getAll(UNCHANGED).map((name) => [name, textOf(sent, String(name)) ?? ""]);
    const typed = { ...oneTextEach(initialValue, Object.values(operations)), ...Object.fromEntries(kept) };
    return { ...given, initialValue: typed };
  };
  return {
    formId: textOf(form, "formId") ?? (operation ? intent : null),
    intent,
    operation: operation ?? null,
    ticket: ticket === "stale" ? null : ticket,
    carried: ticket === null || ticket === "stale" ? null : carriedTicket(form, ticket),
    refusal,
    formKey: textOf(form, "formKey"),
    isOfButtons: form.has("isOfButtons"),
    isInRow: form.has("item") && form.has("formId"),
    removesStaged: textOf(form, "removeStaged"),
    takesPresent: textOf(form, "takePresent"),
    asksNothing: form.has(NOTHING),
    isCut: context.received?.isCut ?? false,
    opened: () => opened,
    words: () =>
      [...sent].flatMap(([name, value]): [string, string][] =>
        typeof value !== "string" || WITHOUT_WORDS.has(name) ? [] : [[name, value]],
      ),
    merge: (stored, edit, seen) => {
      const merged = mergeFields(sent, readOpened(textOf(sent, "opened") ?? ""), stored, edit, {
        seen,
        taken: textOf(sent, "takePresent") ?? undefined,
        shown: sent.getAll("conflict").map(String),
      });
      // A second merge must not keep what the first one took over.
      form.delete(UNCHANGED);
      for (const name of Object.keys(stored.values).flatMap((each) => [each, typedNameOf(each)]))
        replaceField(form, name, sent.getAll(name));
      for (const [name, values] of merged.changed) replaceField(form, name, values);
      if (stored.version !== undefined) form.set("seenVersion", String(stored.version));
      submission = undefined;
      opened = merged.opened;
      mayStay = edit.keeps?.filter((name) => merged.untouched.includes(name)) ?? [];
      return merged;
    },
    bound: (name) => textOf(form, name),
    input: <I>() => {
      refuseRepeats(form, schema);
      const before = parsed();
      if (before.status === "error") keepRefused(Object.keys(before.error ?? {}));
      const read = parsed();
      if (read.status === "success") return read.value as I;
      throw new InvalidForm(staleIfHidden(reply({})));
    },
    typed: () => {
      const all = parseWithZod(form, { schema: z.looseObject({}) });
      return all.status === "success" ? oneTextEach(all.value, Object.values(operations)) : {};
    },
    reply,
  };
}

/**
 * Names of a form that are about the page, not about what its person asks for. What it was opened with belongs to the
 * request: after a conflict the same words are pressed again as a decision.
 */
const WITHOUT_WORDS: ReadonlySet<string> = new Set([
  "ticket",
  "begun",
  "isOfButtons",
  "conflict",
  "here",
  // The operation is known; Enter sends the default, a button sends its own.
  "intent",
  "defaultIntent",
  "seenVersion",
]);

const UNCHANGED = "unchanged";

const SAID_BY_TICKET = ["referralId", "version", "seenVersion", "newestShown"];

/** Sets the ticket's fields, replacing the form's. Returns a refusal for a row the page did not show. */
function bind(form: FormData, ticket: FormTicket, operation: AnyOperation | undefined): Refusal | null {
  try {
    for (const name of SAID_BY_TICKET) form.delete(name);
    const { seen = "version", newest } = operation ?? {};
    const bound = boundFields(ticket, { item: textOf(form, "item"), seen, newest });
    for (const [name, value] of Object.entries(bound)) form.set(name, value);
    if (!form.has("formKey")) form.set("formKey", stagingKey(ticket, form));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function addAddresses(form: FormData, request: Request): void {
  const to = new URL(request.url).searchParams.get("to");
  if (to !== null && !form.has("to")) form.set("to", to);
  // A forwarded form may redirect elsewhere when saved; its text belongs to the address it was sent to.
  if (to !== null) form.set("sentTo", to);
  form.set("here", pathOf(request));
}

function replaceField(form: FormData, name: string, values: readonly FormDataEntryValue[]): void {
  form.delete(name);
  for (const value of values) form.append(name, value);
}

function textOf(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === "string" ? value : null;
}

function carriedTicket(form: FormData, { fields }: FormTicket): NonNullable<ActionResult["ticket"]> {
  const begun = textOf(form, "begun");
  return {
    sealed: textOf(form, "ticket") ?? "",
    subject: subjectOf(fields),
    begun: begun ?? undefined,
  };
}

const NEVER_SENT_BACK = ["password", "newPassword", "repeatPassword", "currentPassword", "ticket", "begun", "opened"];

export const STALE = "Siden er forældet. Genindlæs den, og prøv igen.";

function staleIfHidden(reply: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const errors = Object.entries(reply.error ?? {});
  const visible = errors.filter(([name]) => !HIDDEN_FIELDS.has(name));
  return visible.length === errors.length
    ? reply
    : { ...reply, error: { ...Object.fromEntries(visible), "": [STALE] } };
}

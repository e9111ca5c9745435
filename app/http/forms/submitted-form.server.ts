import type { Submission, SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import type { CommandResult } from "~/access/command-result";
import { boundFields, type FormTicket, stagingKey, subjectOf, ticketIn } from "~/access/form-ticket.server";
import type { InputReader, Operation } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { pathOf, refusedPage } from "../runners/page.server";
import type { ActionResult } from "./action-result";
import { collectRepeated, HIDDEN_FIELDS, refuseRepeats } from "./form-fields.server";

// Operations have different inputs; the form's intent chooses one at run time.
export type AnyOperation = Operation<any, CommandResult>;

/** A form that reached its page's action. */
export interface SubmittedForm {
  /** Which of the page's forms it is; null of one that does not say. */
  formId: string | null;
  /** What its pressed button asked for, or the form by default. */
  intent: string;
  /** What the intent of its button names; `null` in a form of an older page, whose intent is missing or is no more. */
  operation: AnyOperation | null;
  /** What its page was made for; null of a form without a ticket. */
  ticket: FormTicket | null;
  /** The same as it came, for the form that stays on the screen. */
  carried: ActionResult["ticket"] | null;
  /** Its ticket names a row that the page did not show. */
  refusal: Refusal | null;
  /** The form key under which its files are staged. */
  formKey: string | null;
  /** It has no fields beside which the page would say what was wrong. */
  isOfButtons: boolean;
  /** The waiting file that its button takes off; null of any other button. */
  removesStaged: string | null;
  /** Fields are missing that stood after a file which could not be stored. */
  isCut: boolean;
  /** Its values as the operation takes them; throws `InvalidForm`. */
  input: InputReader;
  /** All its values as typed. */
  typed(): Record<string, unknown>;
  /** Its values as typed, without those that must never be sent back, and their errors. */
  reply(errors: FormErrors): SubmissionResult<string[]>;
}

interface FormErrors {
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
}

/** The submitted values do not fit the operation's schema. */
export class InvalidForm extends Error {
  constructor(readonly submission: SubmissionResult<string[]>) {
    super("invalid form");
  }
}

/** Reads a submitted form and the operation that its button names. Throws the error page where no form arrived whole. */
export function readSubmittedForm(
  { request, context }: ActionFunctionArgs,
  operations: Record<string, AnyOperation>,
): SubmittedForm {
  const { form } = context;
  if (form === null) throw refusedPage(request, new Refusal("uploadBroken"));
  addAddresses(form, request);
  // Some browsers do not tell a script which button was pressed; then the form's default intent counts (docs/decisions/0054).
  const intent = textOf(form, "intent") ?? textOf(form, "defaultIntent") ?? "";
  const ticket = ticketIn(context.portal.secrets, context.site, form);
  const operation =
    ticket === "stale" ? undefined : Object.hasOwn(operations, intent) ? operations[intent] : operations["*"];
  const refusal = ticket === null || ticket === "stale" ? null : bind(form, ticket, operation);
  const schema: z.ZodType = operation?.input ?? z.looseObject({});
  let submission: Submission<unknown, string[]> | undefined;
  const parsed = () => (submission ??= parseWithZod(collectRepeated(form), { schema }));
  const reply = (errors: FormErrors) => parsed().reply({ ...errors, hideFields: NEVER_SENT_BACK });
  return {
    formId: textOf(form, "formId") ?? (operation ? intent : null),
    intent,
    operation: operation ?? null,
    ticket: ticket === "stale" ? null : ticket,
    carried: ticket === null || ticket === "stale" ? null : carriedTicket(form, ticket),
    refusal,
    formKey: textOf(form, "formKey"),
    isOfButtons: form.has("isOfButtons"),
    removesStaged: textOf(form, "removeStaged"),
    isCut: context.received?.isCut ?? false,
    input: <I>() => {
      refuseRepeats(form, schema);
      const read = parsed();
      if (read.status === "success") return read.value as I;
      throw new InvalidForm(staleIfHidden(reply({})));
    },
    typed: () => {
      const all = parseWithZod(collectRepeated(form), { schema: z.looseObject({}) });
      return all.status === "success" ? all.value : {};
    },
    reply,
  };
}

/** What a form is about and what it was opened with, which its ticket alone says. */
const SAID_BY_TICKET = ["referralId", "version", "seenVersion", "seenStatusVersion"];

/** Fills in what the ticket binds, in the place of whatever the form says of it. Answers a refusal for a row that the page did not show. */
function bind(form: FormData, ticket: FormTicket, operation: AnyOperation | undefined): Refusal | null {
  try {
    for (const name of SAID_BY_TICKET) form.delete(name);
    const bound = boundFields(ticket, { item: textOf(form, "item"), seen: operation?.seen ?? "version" });
    for (const [name, value] of Object.entries(bound)) form.set(name, value);
    if (!form.has("formKey")) form.set("formKey", stagingKey(ticket, form));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The form's page and its target, for operations that redirect back to it. */
function addAddresses(form: FormData, request: Request): void {
  // Where to go afterwards may stand in the page's own address, as it does on the sign-in page.
  const to = new URL(request.url).searchParams.get("to");
  if (to !== null && !form.has("to")) form.set("to", to);
  // A form that was sent on to here may lead somewhere else once it is saved: what was typed belongs at the address it was sent to.
  if (to !== null) form.set("sentTo", to);
  form.set("here", pathOf(request));
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
    ...(begun === null ? {} : { begun }),
  };
}

/** Secrets, and what the answer carries besides. */
const NEVER_SENT_BACK = ["password", "newPassword", "repeatPassword", "currentPassword", "ticket", "begun"];

export const STALE = "Siden er forældet. Genindlæs den, og prøv igen.";

function staleIfHidden(reply: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const errors = Object.entries(reply.error ?? {});
  const visible = errors.filter(([name]) => !HIDDEN_FIELDS.has(name));
  return visible.length === errors.length
    ? reply
    : { ...reply, error: { ...Object.fromEntries(visible), "": [STALE] } };
}

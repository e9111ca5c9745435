import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  redirect,
  type SerializeFrom,
  type TypedResponse,
} from "@remix-run/node";
import { isDeepStrictEqual } from "node:util";
import { hasAccount } from "~/access/actor";
import type { Caller, CommandResult } from "~/access/caller";
import { type FormSubject, isOwnTicket, otherPersonRefusal, sealTicket, subjectOf } from "~/access/form-ticket.server";
import { answeredBefore, execute, type Operation, plainInput, type ResultOf } from "~/access/operation.server";
import type { Edit, EditContext, StoredValues } from "~/access/edit.server";
import type { ControlValues } from "~/text/control-values";
import type { Permission } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { addFlash } from "~/access/sessions.server";
import type { ActionResult } from "~/http/forms/action-result";
import { answerForm, answerStale, flashOf, type Outcome, removeFromForm } from "~/http/forms/answer-form.server";
import { formConstraints, formGroups } from "~/http/forms/form-fields.server";
import {
  type AnyOperation,
  InvalidForm,
  readSubmittedForm,
  type SubmittedForm,
} from "~/http/forms/submitted-form.server";
import type { Portal } from "~/portal.server";
import { PRIVATE, refusedPage } from "./refused-page.server";

export interface Redirect {
  redirectTo: string;
}

/** Type of `useLoaderData` for a loader that runs this read. */
export type PageOf<T> = SerializeFrom<Exclude<ResultOf<T>, Redirect>>;

const isMove = (result: unknown): result is Redirect =>
  typeof result === "object" && result !== null && "redirectTo" in result;

interface PageOptions<O> {
  /** Operations of the page's forms by intent; their constraints and groups are added (http/forms/action-form.tsx). */
  forms?: Record<string, Operation<any, any>>;
  subject?(page: O): FormSubject;
}

/**
 * A loader: runs a read. Signed out redirects to sign-in and back; other refusals and errors become the error page with
 * their status.
 */
export async function runPage<I, O>(
  args: LoaderFunctionArgs,
  operation: Operation<I, O>,
  raw: unknown = {},
  { forms, subject }: PageOptions<Exclude<O, Redirect>> = {},
): Promise<TypedResponse<Exclude<O, Redirect>>> {
  try {
    const caller = await args.context.caller();
    const result = await execute(args.context.portal, caller, operation, plainInput(raw));
    if (isMove(result)) throw redirect(result.redirectTo);
    args.context.portal.pageViews.count(operation.name, caller.actor, args.request.headers.get("Referer"));
    const shown = result as Exclude<O, Redirect>;
    const about = subject?.(shown) ?? {};
    const ticket = sealTicket(args.context.portal.secrets, caller, about);
    const page = {
      ...shown,
      ...(forms ? { constraints: formConstraints(forms), groups: formGroups(forms) } : {}),
      ...(ticket === undefined
        ? {}
        : { ticket: { sealed: ticket, subject: subjectOf(about.fields), person: personIdOf(caller) } }),
    };
    return json(page, { headers: PRIVATE }) as TypedResponse<Exclude<O, Redirect>>;
  } catch (error) {
    // Remix drops headers of thrown responses.
    if (error instanceof Refusal) args.context.retryAfter.seconds = error.retryAfterSeconds;
    if (!operation.unexpectedErrorText || error instanceof Refusal || error instanceof Response)
      throw refusedPage(args.request, error);
    args.context.portal.log.error({ err: error, operation: operation.name }, "operation failed");
    throw json({ text: operation.unexpectedErrorText }, { status: 500, headers: PRIVATE });
  }
}

const personIdOf = ({ actor }: Caller) => (hasAccount(actor) ? actor.id : undefined);

/**
 * An action: the button's `intent` chooses the operation. Success redirects (303) as the operation says or back; a
 * refusal returns an `ActionResult` with its status, so that no text is lost.
 */
export async function runCommand(
  args: ActionFunctionArgs,
  operations: Record<string, AnyOperation>,
): Promise<TypedResponse<ActionResult>> {
  const form = readSubmittedForm(args, operations);
  const caller = await args.context.caller();
  // First, since the answer to an outdated form shows its text too.
  if (form.ticket !== null && !isOwnTicket(form.ticket, caller)) {
    const refusal = await otherPersonRefusal(args.context.portal.db, caller, form.ticket);
    return answerForm(args, form, caller, { kind: "refused", refusal });
  }
  const isOfThisPage = Object.hasOwn(operations, form.intent);
  if (form.operation === null || (isOfThisPage && lacksTicket(form, caller))) return answerStale(args, form, caller);
  const outcome = await executeForm(args.context.portal, caller, form.operation, form);
  return answerForm(args, form, caller, outcome);
}

/**
 * A signed-in person's change needs its page's ticket. Look-ups change nothing and public operations belong to nobody;
 * a forwarded form's ticket is checked when it is sent again.
 */
function lacksTicket({ ticket, operation }: SubmittedForm, { actor }: Caller): boolean {
  if (ticket !== null || operation === null || !hasAccount(actor)) return false;
  return (operation.kind === "change" || operation.kind === "external") && !TICKETLESS.has(operation.permission);
}

const TICKETLESS: ReadonlySet<Permission> = new Set(["public", "development"]);

async function executeForm(
  portal: Portal,
  caller: Caller,
  operation: AnyOperation,
  form: SubmittedForm,
): Promise<Outcome> {
  if (form.refusal !== null) return { kind: "refused", refusal: form.refusal };
  const edit = form.opened() === undefined ? undefined : operation.edit;
  // A press that takes a present value never carries the operation out.
  if (form.asksNothing || (form.takesPresent !== null && edit === undefined))
    return { kind: "done", result: { data: {} }, isFlashKept: false };
  // One commit instead of two: on SQLite each waits for the disk.
  let isFlashKept = false;
  const keepFlash: NonNullable<Caller["beforeCommit"]> = async (tx, answer) => {
    const flash = flashOf(portal, form, caller, answer);
    if (flash !== null) await addFlash(tx, portal.secrets, { sessionId: caller.sessionId!, flash });
    isFlashKept = true;
  };
  try {
    const removed = await removeFromForm(portal, caller, form);
    if (removed !== null) return removed;
    const sender = { ...caller, formNonce: form.ticket?.nonce, beforeCommit: keepFlash };
    const result = edit
      ? await executeEdit(portal, sender, operation, edit, form)
      : await execute(portal, sender, operation, form.input);
    return { kind: "done", result, isFlashKept };
  } catch (error) {
    if (error instanceof Response) throw error;
    if (error instanceof InvalidForm) return { kind: "invalid", reason: error };
    if (error instanceof Refusal) return { kind: "refused", refusal: error };
    portal.log.error({ err: error, operation: operation.name }, "operation failed");
    return { kind: "failed", operation };
  }
}

const MERGES = 5;

/**
 * Merges the form with what is stored and runs its operation, again if somebody else saves in between. Throws
 * `conflict` with the present values of the fields that both have changed, and if what the form sees has moved.
 */
async function executeEdit(
  portal: Portal,
  caller: Caller,
  operation: AnyOperation,
  edit: Edit,
  form: SubmittedForm,
): Promise<CommandResult> {
  for (let merges = 1; ; merges += 1) {
    let merged: { stored: StoredValues; seen: ControlValues } | undefined;
    const contextOn = (db: EditContext["db"]): EditContext => ({ db, actor: caller.actor, portal });
    const readPresent = async (context: EditContext) => ({
      stored: await edit.read(context, form.bound),
      seen: (await edit.sees?.read(context, form.bound)) ?? {},
    });
    const sender: Caller = {
      ...caller,
      formWords: form.words(),
      async afterBegin(tx) {
        if (!isDeepStrictEqual(await readPresent(contextOn(tx)), merged)) throw new SavedMeanwhile();
      },
    };
    try {
      return await execute(portal, sender, operation, async (schema) => {
        // The very same form would conflict with what it has stored itself.
        const answer = operation.uploads === undefined ? await answeredBefore(portal, sender, operation) : null;
        if (answer !== null) throw new Answered(answer);
        const now = contextOn(portal.db);
        merged = await readPresent(now);
        const { conflicts, moved, isUntouched, followed } = form.merge(merged.stored, edit, merged.seen);
        sender.edited = { isUntouched, followed };
        if (Object.keys(conflicts).length > 0)
          throw new Refusal(
            "conflict",
            edit.conflictText
              ? { text: await edit.conflictText(now, form.bound) }
              : { text: BOTH_CHANGED, fields: conflicts },
          );
        if (form.takesPresent !== null) throw new Answered({ data: {} });
        const news = moved.length > 0 ? await edit.sees?.movedText(now, form.bound, moved) : null;
        if (news) throw new Refusal("conflict", { text: news });
        return form.input(schema);
      });
    } catch (error) {
      if (error instanceof Answered) return error.answer;
      if (!(error instanceof SavedMeanwhile)) throw error;
      if (merges === MERGES) throw new Refusal("conflict");
    }
  }
}

class SavedMeanwhile extends Error {}

/** The form has its answer without being carried out. */
class Answered extends Error {
  constructor(readonly answer: CommandResult) {
    super("answered");
  }
}

const BOTH_CHANGED =
  "Intet er gemt eller sendt: en anden har rettet det samme, siden du åbnede siden. Se, hvad der står nu, og tryk igen, hvis dit skal gælde.";

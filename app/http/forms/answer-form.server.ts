import { type ActionFunctionArgs, json, type TypedResponse, redirect, redirectDocument } from "@remix-run/node";
import { randomUUID } from "node:crypto";
import { type Caller, type ReceivedFiles, refusedFileTexts, type CommandResult, type Flash } from "~/access/caller";
import { findPersonName } from "~/access/session-store.server";
import type { Refusal } from "~/access/refusal";
import { sealInput } from "~/features/accounts/sealed-input.server";
import { findStagedFiles, removeStagedUpload } from "~/files/staging/staged-upload-store.server";
import { headersOf, refusals, serverError } from "~/http/errors";
import type { Portal } from "~/portal.server";
import { pathOf, loginWithReturn, refusedPage, stepWithReturn } from "~/http/runners/refused-page.server";
import { appendSession, hostCookie } from "~/access/authenticator.server";
import { ANY_FORM_ID, type ActionResult } from "./action-result";
import { type AnyOperation, type InvalidForm, STALE, type SubmittedForm } from "./submitted-form.server";
import { execute, plainInput } from "~/access/operation.server";
import { sealTicket } from "~/access/form-ticket.server";
import { bestEffortWrite } from "~/access/best-effort-write.server";
import { isPendingStep } from "~/access/authorise.server";
import { addFlash } from "~/access/sessions.server";

export type Outcome =
  /** `isFlashKept`: the next page's message was written with the change. */
  | { kind: "done"; result: CommandResult; isFlashKept: boolean }
  | { kind: "invalid"; reason: InvalidForm }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "failed"; operation: AnyOperation };

/** Answers a form: returned while it stays on screen, thrown as a redirect. */
export async function answerForm(
  args: ActionFunctionArgs,
  form: SubmittedForm,
  caller: Caller,
  outcome: Outcome,
): Promise<TypedResponse<ActionResult>> {
  if (outcome.kind === "done") {
    // A look-up answers the form with its values; without JavaScript the page is rendered from it.
    const { data } = outcome.result;
    if (!data) throw await leaveForm(args, form, caller, outcome.result, outcome.isFlashKept);
    const { initialValue } = form.reply({});
    const headers = new Headers();
    await appendSession(headers, outcome.result.session, args.context.secure);
    // The rendered page belongs to nobody any more.
    if (outcome.result.session === "ended") args.context.session = () => Promise.resolve(null);
    return json({ ...(await stays(args, form, caller)), submission: { initialValue }, data }, { headers });
  }
  if (outcome.kind === "refused") return refused(args, form, caller, outcome.refusal);
  const answer = { ...(await stays(args, form, caller)), ...cut(form) };
  if (outcome.kind === "invalid") {
    const { submission } = outcome.reason;
    const error = { ...submission.error, ...refusedFileTexts(caller.files) };
    return json({ ...answer, submission: { ...submission, error } }, { status: statusFor(caller.files, 400) });
  }
  const formErrors = [outcome.operation.unexpectedErrorText ?? serverError];
  return json({ ...answer, submission: form.reply({ formErrors }), isUnexpectedError: true as const }, { status: 500 });
}

const STATUSES_SEEN_WITH_THE_FORM: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 409, 410, 413, 417, 422, 429, 503, 507,
]);

const GONE = 404;
const CONFLICT = 409;

async function refused(args: ActionFunctionArgs, form: SubmittedForm, caller: Caller, refusal: Refusal) {
  const { status, text } = refusals[refusal.name];
  if (refusal.name === "otherPerson" && !args.context.isScripted) throw await openersPage(args, form, refusal);
  // Somebody without the permission may not see the page; with JavaScript the text stays on screen.
  const isDenied = refusal.name === "notAllowed" && !args.context.isScripted;
  const staysOnPage = STATUSES_SEEN_WITH_THE_FORM.has(status) && !isDenied;
  const leaving = await leaveRefused(args, caller, refusal, staysOnPage);
  if (leaving !== null) throw leaving;
  // The shell shows it where the page has no such form any more.
  const mayBeGone = form.isOfButtons || (form.isInRow && status === CONFLICT);
  if (status === GONE || mayBeGone)
    await flashOnThisPage(args, caller, {
      tone: "error",
      text: refusal.text ?? text,
      ...(mayBeGone && form.formId !== null ? { formId: form.formId, besideForm: true } : {}),
    });
  args.context.retryAfter.seconds = refusal.retryAfterSeconds;
  const submission = form.reply({ formErrors: [refusal.text ?? text], fieldErrors: refusal.fields });
  return json(
    {
      ...(await stays(args, form, caller)),
      ...cut(form),
      submission,
      refusal: refusal.name,
      ...(refusal.name === "conflict" && refusal.fields && { conflicts: Object.keys(refusal.fields) }),
    },
    { status: statusFor(caller.files, status), headers: headersOf(refusal) },
  );
}

/**
 * Without JavaScript: a page that shows nothing of the text, which is sealed for the form's owner until they sign in.
 */
async function openersPage({ request, context }: ActionFunctionArgs, form: SubmittedForm, { name, text }: Refusal) {
  const { portal } = context;
  const { status, text: ownText } = refusals[name];
  const openerId = form.ticket?.personId ?? 0;
  const to = pathOf(request);
  const handOver = {
    opener: (await findPersonName(portal.db, openerId)) ?? "den anden",
    sealed: sealInput(portal.secrets, openerId, to, form.typed(), portal.clock.now()),
    to,
  };
  return json({ text: text ?? ownText, handOver }, { status, headers: { "Cache-Control": "private, no-store" } });
}

/**
 * Answers an outdated form without a known intent; its text stays. It names no form: with JavaScript it belongs to the
 * sent form, without to every form.
 */
export async function answerStale(
  args: ActionFunctionArgs,
  form: SubmittedForm,
  caller: Caller,
): Promise<TypedResponse<ActionResult>> {
  const isSaidByPage = !args.context.isScripted && caller.sessionId !== null;
  if (isSaidByPage) await flashOnThisPage(args, caller, { tone: "error", text: STALE });
  const { initialValue } = form.reply({});
  const error: Record<string, string[]> = isSaidByPage ? {} : { "": [STALE] };
  return json({ formId: ANY_FORM_ID, submission: { status: "error", initialValue, error } }, { status: 400 });
}

function statusFor(files: ReceivedFiles | undefined, status: number): number {
  const ofFiles = new Set(files?.refused.map((each) => each.status));
  const [only] = ofFiles;
  return status === 400 && ofFiles.size === 1 && only !== undefined ? only : status;
}

const cut = ({ isCut }: SubmittedForm) => (isCut ? { isCut: true as const } : {});

async function stays(
  { context }: ActionFunctionArgs,
  { formId, intent, formKey, carried, opened, takesPresent }: SubmittedForm,
  caller: Caller,
) {
  const staged = await filesWaiting(context.portal, caller, formKey);
  return {
    formId: formId ?? ANY_FORM_ID,
    intent,
    staged,
    ticket: carried ?? undefined,
    opened: opened(),
    taken: takesPresent ?? undefined,
  };
}

async function filesWaiting(
  portal: Portal,
  { actor }: Caller,
  formKey: string | null,
): Promise<NonNullable<ActionResult["staged"]>> {
  if (actor.kind !== "person" || formKey === null) return [];
  const staged = await findStagedFiles(portal.db, actor.id, formKey);
  return staged.map(({ id, field, fileName, sizeBytes }) => ({ id, field, fileName, sizeBytes }));
}

/** 'Fjern' on a staged file: removes it and returns the form as typed. Null for other buttons. */
export async function removeFromForm(portal: Portal, caller: Caller, form: SubmittedForm): Promise<Outcome | null> {
  if (form.removesStaged === null) return null;
  const input = { stagedId: form.removesStaged, formKey: form.formKey ?? "" };
  const result = await execute(portal, caller, removeStagedUpload, plainInput(input));
  return { kind: "done", result, isFlashKept: false };
}

async function leaveForm(
  { request, context: { portal, secure } }: ActionFunctionArgs,
  form: SubmittedForm,
  caller: Caller,
  result: CommandResult,
  isFlashKept: boolean,
): Promise<Response> {
  const { session, remember, reload, to } = result;
  const flash = isFlashKept ? null : flashOf(portal, form, caller, result);
  if (flash !== null) await flashOnNextPage(portal, caller, flash);
  const headers = new Headers();
  await appendSession(headers, session, secure);
  if (remember) {
    const cookie = hostCookie(remember.name, secure);
    headers.append("Set-Cookie", await cookie.serialize("1", { maxAge: remember.maxAgeSeconds }));
  }
  // Sign-in and the pages behind it share no script, so the browser reloads.
  const go = session || reload ? redirectDocument : redirect;
  return go(to ?? pathOf(request), { status: 303, headers });
}

/** The next page's message for an answer; null if none or nobody is signed in. */
export function flashOf(
  portal: Portal,
  { formId, intent }: SubmittedForm,
  caller: Caller,
  { flash, session, data }: CommandResult,
): Flash | null {
  if (flash === undefined || session === "ended" || data !== undefined || caller.sessionId === null) return null;
  const ticket = flash.undo && sealTicket(portal.secrets, caller, { fields: flash.undo.fields });
  return {
    formId: formId ?? undefined,
    intent,
    ...flash,
    ...(flash.undo && { undo: { ...flash.undo, ticket } }),
  };
}

/**
 * Redirects after a refusal the page cannot show: to the form's new place, sign-in, a pending step, or the error page.
 * Null if the form stays.
 */
async function leaveRefused(
  { request, context: { portal, isScripted } }: ActionFunctionArgs,
  caller: Caller,
  refusal: Refusal,
  staysOnPage: boolean,
): Promise<unknown> {
  if (refusal.to !== undefined && caller.sessionId !== null) {
    await flashOnNextPage(portal, caller, { tone: "error", text: refusal.text ?? refusals[refusal.name].text });
    return redirect(refusal.to, { status: 303 });
  }
  // 307 resends the form there, which seals and later restores it.
  if (refusal.name === "notSignedIn") return isScripted ? null : redirect(loginWithReturn(request), { status: 307 });
  if (isPendingStep(refusal.name) && !isScripted)
    return redirect(stepWithReturn(refusal.name, request), { status: 307 });
  return staysOnPage ? null : refusedPage(request, refusal);
}

async function flashOnThisPage({ context }: ActionFunctionArgs, caller: Caller, flash: Flash): Promise<void> {
  if (context.isScripted) return flashOnNextPage(context.portal, caller, flash);
  (await context.session())?.flash.messages.push({ ...flash, id: randomUUID() });
}

async function flashOnNextPage(portal: Portal, { sessionId }: Caller, flash: Flash): Promise<void> {
  if (sessionId === null) return;
  await bestEffortWrite(portal, "message", () => addFlash(portal.db, portal.secrets, { sessionId, flash }));
}

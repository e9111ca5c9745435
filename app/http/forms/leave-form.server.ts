import { randomUUID } from "node:crypto";
import { type ActionFunctionArgs, redirect, redirectDocument } from "@remix-run/node";
import { hostCookie, appendSession } from "~/access/authenticator.server";
import type { Caller, CommandResult, Flash } from "~/access/caller";
import { sealTicket } from "~/access/form-ticket.server";
import { bestEffortWrite } from "~/access/best-effort-write.server";
import { isPendingStep } from "~/access/authorise.server";
import type { Refusal } from "~/access/refusal";
import { addFlash } from "~/access/sessions.server";
import { refusals } from "~/http/errors";
import type { Portal } from "~/portal.server";
import { loginWithReturn, pathOf, refusedPage, stepWithReturn } from "../runners/page.server";
import type { SubmittedForm } from "./submitted-form.server";

export async function leaveForm(
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
    ...(formId === null ? {} : { formId }),
    intent,
    ...flash,
    ...(flash.undo && { undo: { ...flash.undo, ticket } }),
  };
}

/**
 * Redirects after a refusal the page cannot show: to the form's new place, sign-in, a pending step, or the error page.
 * Null if the form stays.
 */
export async function leaveRefused(
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

export async function flashOnThisPage({ context }: ActionFunctionArgs, caller: Caller, flash: Flash): Promise<void> {
  if (context.isScripted) return flashOnNextPage(context.portal, caller, flash);
  (await context.session())?.flash.messages.push({ ...flash, id: randomUUID() });
}

async function flashOnNextPage(portal: Portal, { sessionId }: Caller, flash: Flash): Promise<void> {
  if (sessionId === null) return;
  await bestEffortWrite(portal, "message", () => addFlash(portal.db, portal.secrets, { sessionId, flash }));
}

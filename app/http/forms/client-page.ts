import type {
  ClientActionFunctionArgs,
  ClientLoaderFunctionArgs,
  ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { type ActionResult, ANY_FORM_ID } from "./action-result";
import { CHANGED_FILE, isReadable } from "~/ui/forms/file-input";
import { askWhoIsSignedIn, areForAnother, isLocked, seemsReachable, whenUnlocked } from "./document-person";
import { sentStays, sentWasSaved } from "./unsaved-forms";

export const OFFLINE_TEXT =
  "!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt, og svaret kom ikke frem. Det, du har skrevet, står her endnu. Se, om det er gemt, og tryk ellers igen, når du er på nettet.";

/**
 * `clientAction`: a form that does not reach the server stays on screen and says so, where Remix would replace the page
 * by its error (docs/decisions/0008). Server answers pass.
 */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs): Promise<ActionResult> {
  try {
    const answer = await serverAction<ActionResult | string | null>();
    sentStays();
    // Somebody else has signed in; the shell names them.
    if ((answer as ActionResult | null)?.refusal === "otherPerson") void askWhoIsSignedIn();
    // A proxy answers with its own page when the portal is down.
    return typeof answer === "string" ? unanswered : (answer as ActionResult);
  } catch (error) {
    // A double click: the second press is answered for both.
    if (request.signal.aborted) return unanswered;
    if (error instanceof Response && error.status < 400) sentWasSaved();
    else sentStays();
    if (error instanceof Response) throw error;
    const changed = await changedFiles();
    if (changed.length === 0) return unanswered;
    const texts = changed.map((name) => `${name}: ${CHANGED_FILE}`);
    return { formId: ANY_FORM_ID, submission: { status: "error", error: { "": texts } } };
  }
}

/** Chosen files that the browser can no longer read, which makes the form unsendable. */
async function changedFiles(): Promise<string[]> {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type="file"]')];
  const files = inputs.flatMap((input) => [...(input.files ?? [])]);
  const readable = await Promise.all(files.map(isReadable));
  return files.filter((_, index) => !readable[index]).map(({ name }) => name);
}

const unanswered: ActionResult = {
  formId: ANY_FORM_ID,
  isUnanswered: true,
  submission: { status: "error", error: { "": [OFFLINE_TEXT] } },
};

export const WAITING_EVENT = "portal:waiting";

const AGAIN_MS = 3_000;

/**
 * `clientLoader`: waits while a page cannot be reached and keeps the open page, where Remix would show its error
 * (docs/decisions/0008). Another navigation ends the waiting. Server answers pass, except for another person, when the
 * page is kept until its owner is back.
 */
export async function clientLoader<T = unknown>({ serverLoader, request }: ClientLoaderFunctionArgs): Promise<T> {
  let isWaiting = false;
  try {
    for (;;) {
      try {
        const data = (await serverLoader<T>()) as T;
        // The page holds the owner's text, so it stays until they are back.
        if (!(await areForAnother(data))) return data;
        await whenUnlocked(request.signal);
        if (request.signal.aborted) return data;
        continue;
      } catch (error) {
        if (isRefusal(error) && (await isAnothers()) && !request.signal.aborted) {
          await whenUnlocked(request.signal);
          continue;
        }
        // Connection failures are TypeErrors in every browser.
        if (!(error instanceof TypeError) || request.signal.aborted) throw error;
      }
      if (!isWaiting) announce((isWaiting = true));
      await untilOnline(request.signal);
    }
  } finally {
    if (isWaiting) announce(false);
  }
}

/**
 * Waits until the portal answers, and keeps the open page meanwhile: without a connection the script of a page that was
 * not open before cannot be loaded, and Remix would replace the open page by the browser's error.
 */
export async function untilReachable(signal: AbortSignal): Promise<void> {
  if (seemsReachable()) return;
  announce(true);
  while (!signal.aborted && (await askWhoIsSignedIn()) === null) await untilOnline(signal);
  announce(false);
}

const isRefusal = (error: unknown) => error instanceof Response && error.status >= 400;

async function isAnothers(): Promise<boolean> {
  await askWhoIsSignedIn();
  return isLocked();
}

const announce = (isWaiting: boolean) => window.dispatchEvent(new CustomEvent(WAITING_EVENT, { detail: isWaiting }));

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, AGAIN_MS);
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

/**
 * Whether an answer changed nothing, so the page need not be read again: a look-up, an expired or other session, a lost
 * permission, a pending step, an unexpected or network error (docs/decisions/0008). Only while the page stays: on the
 * way to another page a look-up's answer would combine with the former page's data.
 */
export function changedNothing({
  actionResult,
  currentUrl,
  nextUrl,
  formAction,
}: ShouldRevalidateFunctionArgs): boolean {
  const { data: found, refusal, formId, isUnexpectedError } = (actionResult ?? {}) as Partial<ActionResult>;
  const isSentTo = formAction !== undefined && isSamePage(new URL(formAction, currentUrl), nextUrl);
  if (!isSentTo && !isSamePage(currentUrl, nextUrl)) return false;
  return (
    found !== undefined ||
    refusal === "notSignedIn" ||
    refusal === "otherPerson" ||
    refusal === "notAllowed" ||
    metPendingStep(actionResult) ||
    formId === ANY_FORM_ID ||
    isUnexpectedError === true
  );
}

function isSamePage(one: URL, other: URL): boolean {
  const query = (url: URL) => [...url.searchParams].filter(([name]) => name !== "index").join("&");
  return one.pathname === other.pathname && query(one) === query(other);
}

export const metPendingStep = (answer: unknown) =>
  ["conditionsNotAccepted", "passwordMustChange"].includes((answer as ActionResult | undefined)?.refusal ?? "");

/** Between images of a referral, or their adjustments, surrounding data is unchanged. */
export const staysAtImages = ({
  formMethod,
  currentUrl,
  nextUrl,
  currentParams,
  nextParams,
}: ShouldRevalidateFunctionArgs) =>
  formMethod === undefined &&
  (nextParams.imageId ?? nextParams.fileId) !== undefined &&
  nextParams.visitId === currentParams.visitId &&
  !isSamePage(currentUrl, nextUrl);

export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  changedNothing(args) || staysAtImages(args) ? false : args.defaultShouldRevalidate;

/** Event with which the shell's poll passes the account's answer to the page. */
export const ACCOUNT_EVENT = "portal:account";

export interface AccountNews {
  visitId?: number;
  newestMessageAt?: string | null;
  sendings?: { state: string } | null;
}

import type { ClientActionFunctionArgs } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
import { CHANGED_FILE, isReadable } from "~/ui/forms/readable-file";
import { ANY_FORM_ID } from "./action-result";
import { askWhoIsSignedIn } from "./document-person";
import { sentStays, sentWasSaved } from "./unsaved-forms";

/** The sentence for an answer without data, and what to do. */
export const OFFLINE_TEXT =
  "!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt, og intet er gemt. Det, du har skrevet, står her endnu: prøv igen, når du er på nettet.";

/**
 * A route's `clientAction`: with JavaScript a form that does not reach the server stays on the screen and says so, where Remix would put
 * its error page in the place of all that was typed (docs/decisions/0008). What the server itself answers is passed on.
 */
export async function keepFormOnNetworkError({
  request,
  serverAction,
}: ClientActionFunctionArgs): Promise<ActionResult> {
  try {
    const answer = await serverAction<ActionResult | string | null>();
    sentStays();
    // Somebody else has signed in: the shell says who.
    if ((answer as ActionResult | null)?.refusal === "otherPerson") void askWhoIsSignedIn();
    // A proxy in front of the portal answers with its own page when the portal does not answer.
    return typeof answer === "string" ? unanswered : (answer as ActionResult);
  } catch (error) {
    // The second press of a double click took its place, and is answered for both.
    if (request.signal.aborted) return unanswered;
    if (error instanceof Response && error.status < 400) sentWasSaved();
    else sentStays();
    // Redirects, and refusals with a page of their own.
    if (error instanceof Response) throw error;
    const changed = await changedFiles();
    if (changed.length === 0) return unanswered;
    const texts = changed.map((name) => `${name}: ${CHANGED_FILE}`);
    return { formId: ANY_FORM_ID, submission: { status: "error", error: { "": texts } } };
  }
}

/** The names of the page's chosen files that the browser can no longer read: it sends no form that holds one of them. */
async function changedFiles(): Promise<string[]> {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type="file"]')];
  const files = inputs.flatMap((input) => [...(input.files ?? [])]);
  const readable = await Promise.all(files.map(isReadable));
  return files.filter((_, index) => !readable[index]).map(({ name }) => name);
}

const unanswered: ActionResult = {
  formId: ANY_FORM_ID,
  submission: { status: "error", error: { "": [OFFLINE_TEXT] } },
};

import type { ClientActionFunctionArgs } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
import { CHANGED_FILE, isReadable } from "~/ui/forms/file-input";
import { ANY_FORM_ID } from "./action-result";
import { askWhoIsSignedIn } from "./document-person";
import { sentStays, sentWasSaved } from "./unsaved-forms";

export const OFFLINE_TEXT =
  "!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt, og intet er gemt. Det, du har skrevet, står her endnu: prøv igen, når du er på nettet.";

/**
 * `clientAction`: a form that does not reach the server stays on screen and says so, where Remix would replace the page
 * by its error (docs/decisions/0008). Server answers pass.
 */
export async function keepFormOnNetworkError({
  request,
  serverAction,
}: ClientActionFunctionArgs): Promise<ActionResult> {
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
  submission: { status: "error", error: { "": [OFFLINE_TEXT] } },
};

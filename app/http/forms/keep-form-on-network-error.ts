import type { ClientActionFunctionArgs } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
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
export async function keepFormOnNetworkError({ serverAction }: ClientActionFunctionArgs): Promise<ActionResult> {
  try {
    const answer = await serverAction<ActionResult | string | null>();
    sentStays();
    // Somebody else has signed in: the shell says who.
    if ((answer as ActionResult | null)?.refusal === "otherPerson") void askWhoIsSignedIn();
    // A proxy in front of the portal answers with its own page when the portal does not answer.
    return typeof answer === "string" ? unanswered : (answer as ActionResult);
  } catch (error) {
    if (error instanceof Response && error.status < 400) sentWasSaved();
    else sentStays();
    // Redirects, and refusals with a page of their own.
    if (error instanceof Response) throw error;
    return unanswered;
  }
}

const unanswered: ActionResult = {
  formId: ANY_FORM_ID,
  submission: { status: "error", error: { "": [OFFLINE_TEXT] } },
};

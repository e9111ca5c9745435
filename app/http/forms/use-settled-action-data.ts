import { useActionData, useLocation, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { idOfSent } from "./use-opened-with";

interface Held {
  answer: ActionResult | undefined;
  /** The newest answer of the page that has been looked at, whoever's it is. */
  seen: ActionResult | undefined;
  /** Where the answer was given. */
  page: string;
  key: string;
  /** Whose form has been sent since. */
  sent: "none" | "own" | "another's";
}

/**
 * The answer to the last sending of the forms that `isOwn` knows, available only once the page's data have been loaded again after it. Remix provides
 * it before that: after a conflict the form would show the old values as the saved ones, and its next press would send the old version again.
 *
 * It stays until one of these forms is sent again or another page is opened. Remix keeps one answer a page and forgets it whenever the page's data
 * are read anew, so that another form, a poll or an upload that arrives would take a form's errors away while they are being corrected.
 */
export function useSettledActionData(isOwn: (formId: string) => boolean = isAnyForm): ActionResult | undefined {
  const given = useActionData<ActionResult>();
  const { state, formMethod = "GET", formData } = useNavigation();
  const { pathname, search, hash, key } = useLocation();
  const page = pathname + search;
  const own = given !== undefined && isOwn(given.formId) ? given : undefined;
  const [held, setHeld] = useState<Held>({ answer: own, seen: given, page, key, sent: "none" });
  let now = held;
  if (state !== "idle") {
    const sent = formData && isOwn(String(idOfSent(formData))) ? "own" : "another's";
    if (formMethod !== "GET" && held.sent !== "own" && held.sent !== sent) now = { ...held, sent };
    if (state === "submitting" && given !== undefined && given !== held.seen)
      now = { ...now, seen: given, answer: own ?? now.answer };
  } else if (own !== undefined && (own !== held.seen || held.sent === "own")) {
    now = { answer: own, seen: own, page, key, sent: "none" };
  } else if (own === undefined && held.sent === "own") {
    now = { answer: undefined, seen: given, page, key, sent: "none" };
  } else if (held.sent === "another's") {
    const stays = page.split("?")[0] === held.page.split("?")[0];
    now = { answer: stays ? held.answer : undefined, seen: given, page, key, sent: "none" };
  } else if (own === undefined && key !== held.key && (hash === "" || page !== held.page)) {
    now = { answer: undefined, seen: given, page, key, sent: "none" };
  }
  if (now !== held) setHeld(now);
  return now.answer;
}

const isAnyForm = () => true;

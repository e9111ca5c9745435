import { useActionData, useLocation, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";

interface Held {
  answer: ActionResult | undefined;
  /** Where it was given. */
  page: string;
  key: string;
  /** A form has been sent since. */
  isSent: boolean;
}

/**
 * The answer to the page's last form, available only once the page's data have been loaded again after it. Remix provides it before that: after a
 * conflict the form would show the old values as the saved ones, and its next press would send the old version again.
 *
 * It stays until a form is sent again or another page is opened. Remix forgets it whenever the page's data are read anew, so that a poll or an upload
 * that arrives would take a form's errors away while they are being corrected.
 */
export function useSettledActionData(): ActionResult | undefined {
  const given = useActionData<ActionResult>();
  const { state, formMethod = "GET" } = useNavigation();
  const { pathname, search, hash, key } = useLocation();
  const page = pathname + search;
  const [held, setHeld] = useState<Held>({ answer: given, page, key, isSent: false });
  let now = held;
  if (state !== "idle") {
    if (formMethod !== "GET" && !held.isSent) now = { ...held, isSent: true };
    if (state === "submitting" && given !== undefined && given !== held.answer) now = { ...now, answer: given };
  } else if (given !== undefined) {
    if (given !== held.answer || held.isSent) now = { answer: given, page, key, isSent: false };
  } else if (held.isSent || (key !== held.key && (hash === "" || page !== held.page))) {
    now = { answer: undefined, page, key, isSent: false };
  }
  if (now !== held) setHeld(now);
  return now.answer;
}

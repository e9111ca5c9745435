import { useActionData, useLocation, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { idOfSent } from "./use-opened-with";

interface Held {
  answer: ActionResult | undefined;
  seen: ActionResult | undefined;
  page: string;
  key: string;
  sent: "none" | "own" | "another's";
}

/**
 * Answer to the last submission of forms matching `isOwn`, once the page's data has been reloaded: earlier a conflict
 * would show old values and resend the old version. Kept until one of them is sent again or the page changes, because
 * Remix forgets the answer at any revalidation (poll, upload, other form).
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

import { useNavigation } from "@remix-run/react";
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { ANY_FORM_ID } from "./action-result";
import { idOfSent } from "./use-opened-with";
import { useSettledActionData } from "./use-settled-action-data";

/** The ids of the page's forms that show their own answer. */
const onPage = new Set<string>();

/** The form that was sent last with JavaScript, also when no answer came; null before the first. */
export function useSentForm(): string | null {
  const sending = useNavigation().formData;
  const [sent, setSent] = useState<string | null>(null);
  const going = sending && String(idOfSent(sending));
  if (going !== undefined && going !== sent) setSent(going);
  return sent;
}

/**
 * The answer to this form's last submission, when it stayed on the screen. An answer that names no form, as after a lost connection, belongs to
 * the form that was sent, or to any form when that one does not show answers itself.
 */
export function useActionResult(formIds: string | readonly string[]): ActionResult | undefined {
  const ids = [formIds].flat();
  const sent = useSentForm();
  const joined = ids.join(" ");
  useEffect(() => {
    for (const id of joined.split(" ")) onPage.add(id);
    return () => {
      for (const id of joined.split(" ")) onPage.delete(id);
    };
  }, [joined]);
  const isOthers = sent !== null && !ids.includes(sent) && onPage.has(sent);
  const answer = useSettledActionData((formId) => ids.includes(formId) || (formId === ANY_FORM_ID && !isOthers));
  const shownId = answer?.formId ?? null;
  useEffectBeforePaint(() => {
    if (shownId === null) return;
    const own = { formId: shownId };
    setShowing([...showing, own]);
    return () => setShowing(showing.filter((each) => each !== own));
  }, [shownId]);
  return answer;
}

/** React warns of the other on a server, which paints nothing. */
const useEffectBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** The forms whose answers parts of the page show, each part by itself. */
let showing: readonly { formId: string }[] = [];
const listeners = new Set<() => void>();

function setShowing(now: typeof showing): void {
  showing = now;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The ids of the forms whose answers the page shows; null where nobody knows yet, as on the server. */
export function useShownAnswers(): ReadonlySet<string> | null {
  const shown = useSyncExternalStore(
    subscribe,
    () => showing,
    () => null,
  );
  return shown && new Set(shown.map(({ formId }) => formId));
}

/** The error of a form that has only buttons. */
export function useFormErrors(formId: string): string[] {
  return useActionResult(formId)?.submission?.error?.[""] ?? [];
}

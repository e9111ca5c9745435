import { useNavigation } from "@remix-run/react";
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { ANY_FORM_ID } from "./action-result";
import { idOfSent } from "./use-opened-with";
import { useSettledActionData } from "./use-settled-action-data";

const onPage = new Set<string>();

export function useSentForm(): string | null {
  const sending = useNavigation().formData;
  const [sent, setSent] = useState<string | null>(null);
  const going = sending && String(idOfSent(sending));
  if (going !== undefined && going !== sent) setSent(going);
  return sent;
}

/**
 * Answer to this form's last submission while it stays on screen. An answer without a form id, e.g. after a network
 * error, belongs to the sent form, or to any form if that one does not show answers.
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

/** useLayoutEffect warns on the server, which does not paint. */
const useEffectBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

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

/** Ids of forms whose answers the page shows; null if unknown, as on the server. */
export function useShownAnswers(): ReadonlySet<string> | null {
  const shown = useSyncExternalStore(
    subscribe,
    () => showing,
    () => null,
  );
  return shown && new Set(shown.map(({ formId }) => formId));
}

export function useFormErrors(formId: string): string[] {
  return useActionResult(formId)?.submission?.error?.[""] ?? [];
}

import { useActionData, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";

/**
 * What a form was opened with, its version among it: it changes only with the form's own answer, never with a re-read of the page behind
 * it, so that a poll, or another form of the page, neither throws away what is being typed nor lifts the version under it
 * (docs/decisions/0053). A form whose own answer was a conflict goes on from what is saved now; one that was saved, from what it saved.
 * `first` is what it begins with where that is not what the page says.
 */
export function useOpenedWith<T>(formId: string | string[], current: T, first = current): T {
  const answer = useActionData<ActionResult>();
  const { state, formData } = useNavigation();
  const isOwn = (id: unknown) => typeof id === "string" && [formId].flat().includes(id);
  const own = isOwn(answer?.formId) ? answer! : null;
  const [opened, setOpened] = useState({ value: first, isSent: false });
  const isSending = state !== "idle" && isOwn(formData && idOfSent(formData));
  if (isSending !== opened.isSent && isSending) setOpened({ ...opened, isSent: true });
  if (!isSending && opened.isSent && state === "idle") {
    // A form that was saved has no answer but the page it led to.
    const isNew = !answer || own?.refusal === "conflict";
    const next = { value: isNew ? current : opened.value, isSent: false };
    setOpened(next);
    return next.value;
  }
  return opened.value;
}

/** Which form was sent. Old browsers do not say which button was pressed. */
export const idOfSent = (form: FormData) => form.get("formId") ?? form.get("intent") ?? form.get("defaultIntent");

/** How often a form was saved since it was mounted: the key of one whose text begins anew each time. */
export function useTimesSaved(formId: string | string[]): number {
  const answer = useActionData<ActionResult>();
  const { state, formData } = useNavigation();
  const [{ count, isSent }, setCount] = useState({ count: 0, isSent: false });
  const isSending = state !== "idle" && formData !== undefined && [formId].flat().includes(String(idOfSent(formData)));
  if (isSending && !isSent) setCount({ count, isSent: true });
  if (isSending || !isSent || state !== "idle") return count;
  const next = { count: answer ? count : count + 1, isSent: false };
  setCount(next);
  return next.count;
}

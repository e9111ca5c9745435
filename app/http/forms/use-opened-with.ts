import { useActionData, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";

/**
 * Value a form was opened with, including its version: changes with the form's own answer only, so that neither a poll
 * nor another form overwrites text or version (docs/decisions/0053). After a conflict or save it continues from the
 * present value. `first` replaces the initial one.
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
    // A saved form has no answer but the next page.
    const isNew = !answer || own?.refusal === "conflict";
    const next = { value: isNew ? current : opened.value, isSent: false };
    setOpened(next);
    return next.value;
  }
  return opened.value;
}

export const idOfSent = (form: FormData) => form.get("formId") ?? form.get("intent") ?? form.get("defaultIntent");

/** How often a form was saved since mounting; a key for forms that start anew. */
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

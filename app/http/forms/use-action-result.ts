import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { ANY_FORM_ID } from "./action-result";
import { useSettledActionData } from "./use-settled-action-data";

/** The ids of the page's forms that show their own answer. */
const onPage = new Set<string>();

/**
 * The answer to this form's last submission, when it stayed on the screen. An answer that names no form, as after a lost connection, belongs to
 * the form that was sent, or to any form when that one does not show answers itself.
 */
export function useActionResult(formId: string): ActionResult | undefined {
  const given = useSettledActionData();
  const sending = useNavigation().formData;
  const [sent, setSent] = useState<string | null>(null);
  const going = sending && String(sending.get("formId") ?? sending.get("intent") ?? sending.get("defaultIntent"));
  if (going !== undefined && going !== sent) setSent(going);
  useEffect(() => {
    onPage.add(formId);
    return () => void onPage.delete(formId);
  }, [formId]);
  const isOthers = sent !== null && sent !== formId && onPage.has(sent);
  return given?.formId === formId || (given?.formId === ANY_FORM_ID && !isOthers) ? given : undefined;
}

/** The error of a form that has only buttons. */
export function useFormErrors(formId: string): string[] {
  return useActionResult(formId)?.submission?.error?.[""] ?? [];
}

import type { ReactNode } from "react";
import { useActionResult } from "~/http/forms/use-action-result";
import { Notice } from "~/ui/feedback/notice";

interface SavedNowProps {
  formId: string;
  savedBy?: string | null;
  button: string;
  children: ReactNode;
}

/**
 * Shows the saved version above what was typed, after a conflict. A merged form needs none of it, because its refusal
 * shows the present value at each field (docs/rules/forms.md).
 */
export function SavedNow({ formId, savedBy, button, children }: SavedNowProps) {
  const answer = useActionResult(formId);
  const isShownAtFields = Object.keys(answer?.submission?.error ?? {}).some((name) => name !== "");
  if (answer?.refusal !== "conflict" || isShownAtFields) return null;
  return (
    <Notice kind="warn" title={`Sådan står der nu${savedBy ? `, ${savedBy}` : ""}:`}>
      {children}
      <p>Dine egne rettelser står i felterne herunder. Tryk {button}, hvis de skal gælde i stedet.</p>
    </Notice>
  );
}

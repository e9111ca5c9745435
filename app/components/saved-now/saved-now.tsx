import type { ReactNode } from "react";
import { useActionResult } from "~/http/forms/use-action-result";
import { Notice } from "~/ui/feedback/notice";

interface SavedNowProps {
  /** The form that a conflict refers to. */
  formId: string;
  /** 'gemt af Lise Bjerregaard 02.11.2026 14.05', where known. */
  savedBy?: string | null;
  button: string;
  children: ReactNode;
}

/** Shows the saved version above what was typed, after a conflict (docs/rules/forms.md). */
export function SavedNow({ formId, savedBy, button, children }: SavedNowProps) {
  if (useActionResult(formId)?.refusal !== "conflict") return null;
  return (
    <Notice kind="warn" title={`Sådan står der nu${savedBy ? `, ${savedBy}` : ""}:`}>
      {children}
      <p>Dine egne rettelser står i felterne herunder. Tryk {button}, hvis de skal gælde i stedet.</p>
    </Notice>
  );
}

import type { ReactNode } from "react";
import { useActionResult } from "~/http/forms/use-action-result";
import { Notice } from "~/ui/feedback/notice";

interface SavedNowProps {
  /** The form that somebody else was before. */
  formId: string;
  /** Who saved it and when, where that is known: 'gemt af Lise Bjerregaard 02.11.2026 14.05'. */
  savedBy?: string | null;
  /** The words on the button that saves what was typed all the same. */
  button: string;
  /** What is saved by now. */
  children: ReactNode;
}

/** After a conflict both versions stand in the form: what is saved by now above what was typed (docs/decisions/0041). */
export function SavedNow({ formId, savedBy, button, children }: SavedNowProps) {
  if (useActionResult(formId)?.refusal !== "conflict") return null;
  return (
    <Notice kind="warn" title={`Sådan står der nu${savedBy ? `, ${savedBy}` : ""}:`}>
      {children}
      <p>Dine egne rettelser står i felterne herunder. Tryk {button}, hvis de skal gælde i stedet.</p>
    </Notice>
  );
}

import { useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { ANY_FORM_ID } from "~/http/forms/action-result";

/** How the last GEM of a row went, by the server's answer. */
export interface RowSaveState {
  rowId: number;
  went: "saved" | "refused";
  /** What was chosen, where it was not saved. */
  chosen: number | null;
  /** Why it was refused, where its row shows that. */
  reason?: string | null;
}

/** What the shell holds for the page under it: messages, and what was typed before a sign-in that came in between. */
export interface ShellMemory {
  flash: { tone: string; text: string; formId?: string }[];
  restored: { formId: string; values: Record<string, unknown> } | null;
}

type Sent = Record<string, unknown> | null | undefined;
const numberIn = (sent: Sent, name: string) => (typeof sent?.[name] === "string" ? Number(sent[name]) : null);

function notSaved(sent: Sent): RowSaveState | null {
  const rowId = numberIn(sent, "referralId");
  return rowId === null ? null : { rowId, went: "refused", chosen: numberIn(sent, "status") };
}

/** The fields that a page last sent with JavaScript; what never reached the server is not in any answer. */
export function useLastSent(): Sent {
  const sending = useNavigation().formData;
  const [last, setLast] = useState(sending);
  if (sending && sending !== last) setLast(sending);
  return last && Object.fromEntries(last);
}

/**
 * How the last GEM went of the forms with this id. Only the server's answer says so: a referral's version also rises when somebody else
 * saves.
 */
export function rowSaveState(
  answer: ActionResult | undefined,
  shell: ShellMemory | undefined,
  sent: Sent,
  formId = "setStatus",
): RowSaveState | null {
  if (answer?.formId === formId && answer.submission?.status === "error")
    return notSaved(answer.submission.initialValue);
  if (answer?.formId === ANY_FORM_ID && (sent?.["formId"] ?? sent?.["intent"]) === formId) return notSaved(sent);
  if (shell?.restored?.formId === formId) return notSaved(shell.restored.values);
  const saved = shell?.flash.find((message) => message.formId?.startsWith("status-"));
  return saved ? { rowId: Number(saved.formId?.slice(7)), went: "saved", chosen: null } : null;
}

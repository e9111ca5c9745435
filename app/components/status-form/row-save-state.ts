import { useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { ANY_FORM_ID } from "~/http/forms/action-result";

/** Place of the forms that set the open referral's status. */
export const STATUS_FORM = "nextStatus";

export interface RowSaveState {
  rowId: number;
  went: "saved" | "refused";
  chosen: number | null;
  /** What the form that comes back is opened with. */
  opened?: string;
  reason?: string | null;
}

export interface ShellMemory {
  flash: { tone: string; text: string; formId?: string }[];
  restored: { formId: string; values: Record<string, unknown> } | null;
}

type Sent = Record<string, unknown> | null | undefined;

/** Null also for a text that is no number: NaN differs from itself, so a form would never be done with it. */
const numberIn = (sent: Sent, name: string) => {
  const number = Number(sent?.[name] ?? NaN);
  return Number.isNaN(number) ? null : number;
};

function notSaved(sent: Sent, opened: unknown = sent?.["opened"]): RowSaveState | null {
  const rowId = numberIn(sent, "referralId");
  if (rowId === null) return null;
  return {
    rowId,
    went: "refused",
    chosen: numberIn(sent, "status"),
    ...(typeof opened === "string" ? { opened } : {}),
  };
}

/** Fields last sent with JavaScript; a request that failed on the network has no answer to read them from. */
export function useLastSent(): Sent {
  const sending = useNavigation().formData;
  const [last, setLast] = useState(sending);
  if (sending && sending !== last) setLast(sending);
  return last && Object.fromEntries(last);
}

/**
 * Result of the last GEM of the forms with this id. Only the server's answer counts: a referral's version also rises
 * when somebody else saves.
 */
export function rowSaveState(
  answer: ActionResult | undefined,
  shell: ShellMemory | undefined,
  sent: Sent,
  formId = "setStatus",
): RowSaveState | null {
  if (answer?.formId === formId && answer.submission?.status === "error")
    return notSaved(answer.submission.initialValue, answer.opened);
  if (answer?.formId === ANY_FORM_ID && (sent?.["formId"] ?? sent?.["intent"]) === formId) return notSaved(sent);
  if (shell?.restored?.formId === formId) return notSaved(shell.restored.values);
  const saved = shell?.flash.find((message) => message.formId?.startsWith("status-"));
  return saved ? { rowId: Number(saved.formId?.slice(7)), went: "saved", chosen: null } : null;
}

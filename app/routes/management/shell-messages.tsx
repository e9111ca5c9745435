import { useState } from "react";
import { useShownAnswers } from "~/http/forms/use-action-result";
import type { Undo } from "~/http/forms/action-result";
import { paths } from "~/paths";

export interface ShellMessage {
  id: string;
  tone: "success" | "error" | "info";
  text: string;
  formId?: string;
  inPage?: true;
  besideForm?: true;
  undo?: Undo;
}

/** What the page does not show itself. What was done to a referral that was open stands in its own head, and is not said once more when another one is opened. */
export function useMessages(flash: ShellMessage[], visitId: string | undefined): ShellMessage[] {
  const [arrived, setArrived] = useState({ flash, visitId });
  if (arrived.flash !== flash) setArrived({ flash, visitId });
  const openThen = arrived.flash === flash ? arrived.visitId : visitId;
  // Without JavaScript nobody knows before the page is drawn what stands on it: a refusal is said twice rather than not at all.
  const shownAnswers = useShownAnswers();
  return flash.filter(
    ({ formId, tone, inPage, besideForm }) =>
      !inPage &&
      (tone === "error" || formId !== `status-${openThen}`) &&
      !(besideForm && formId !== undefined && shownAnswers?.has(formId)),
  );
}

/** Which page takes back what a message tells of. */
export const undoneAt: Record<Undo["intent"], string> = {
  undoStatuses: paths.overview,
  restoreLetter: paths.dischargeLetters,
};

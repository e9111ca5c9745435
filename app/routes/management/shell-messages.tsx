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

/** Messages the page does not show itself. A message about an open referral is not repeated when another is opened. */
export function useMessages(flash: ShellMessage[], visitId: string | undefined): ShellMessage[] {
  const [arrived, setArrived] = useState({ flash, visitId });
  if (arrived.flash !== flash) setArrived({ flash, visitId });
  const openThen = arrived.flash === flash ? arrived.visitId : visitId;
  // Without JavaScript the page's forms are unknown, so a refusal may be shown twice.
  const shownAnswers = useShownAnswers();
  return flash.filter(
    ({ formId, tone, inPage, besideForm }) =>
      !inPage &&
      (tone === "error" || formId !== `status-${openThen}`) &&
      !(besideForm && formId !== undefined && shownAnswers?.has(formId)),
  );
}

/** Page that undoes a message's change. */
export const undoneAt: Record<Undo["intent"], string> = {
  undoStatuses: paths.overview,
  restoreLetter: paths.dischargeLetters,
};

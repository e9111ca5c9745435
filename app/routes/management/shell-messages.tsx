import { useState } from "react";
import type { Undo } from "~/http/forms/action-result";
import { paths } from "~/paths";

export interface ShellMessage {
  id: string;
  tone: "success" | "error" | "info";
  text: string;
  formId?: string;
  inPage?: true;
  undo?: Undo;
}

/** What the page does not show itself. What was done to a referral that was open stands in its own head, and is not said once more when another one is opened. */
export function useMessages(flash: ShellMessage[], visitId: string | undefined): ShellMessage[] {
  const [arrived, setArrived] = useState({ flash, visitId });
  if (arrived.flash !== flash) setArrived({ flash, visitId });
  const openThen = arrived.flash === flash ? arrived.visitId : visitId;
  return flash.filter(({ formId, tone, inPage }) => !inPage && (tone === "error" || formId !== `status-${openThen}`));
}

/** Which page takes back what a message tells of. */
export const undoneAt: Record<Undo["intent"], string> = {
  undoStatuses: paths.overview,
  restoreLetter: paths.dischargeLetters,
};

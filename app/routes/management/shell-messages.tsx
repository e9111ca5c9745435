import { Form } from "@remix-run/react";
import { useState } from "react";
import type { Undo } from "~/http/forms/action-result";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";

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

const undoneAt: Record<Undo["intent"], string> = {
  undoStatuses: paths.overview,
  restoreLetter: paths.dischargeLetters,
};

/** Beside the message of what was done: the way back. */
export function UndoForm({ undo: { intent, fields }, here }: { undo: Undo; here: string }) {
  return (
    <Form method="post" action={undoneAt[intent]} preventScrollReset>
      <DefaultIntent value={intent} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value={intent} size="small" icon="undo">
        Fortryd
      </Button>
    </Form>
  );
}

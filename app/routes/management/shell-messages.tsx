import { Form } from "@remix-run/react";
import { useState } from "react";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";

export interface ShellMessage {
  id: string;
  tone: "success" | "error" | "info";
  text: string;
  formId?: string;
  inPage?: true;
  undo?: number;
}

/** What the page does not show itself. What was done to a referral that was open stands in its own head, and is not said once more when another one is opened. */
export function useMessages(flash: ShellMessage[], visitId: string | undefined): ShellMessage[] {
  const [arrived, setArrived] = useState({ flash, visitId });
  if (arrived.flash !== flash) setArrived({ flash, visitId });
  const openThen = arrived.flash === flash ? arrived.visitId : visitId;
  return flash.filter(({ formId, tone, inPage }) => !inPage && (tone === "error" || formId !== `status-${openThen}`));
}

/** Beside the message that a status was saved. */
export function UndoStatus({ massChangeId, here }: { massChangeId: number; here: string }) {
  return (
    <Form method="post" action={paths.overview} preventScrollReset>
      <DefaultIntent value="undoStatuses" />
      <input type="hidden" name="massChangeId" value={massChangeId} />
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value="undoStatuses" size="small" icon="undo">
        Fortryd
      </Button>
    </Form>
  );
}

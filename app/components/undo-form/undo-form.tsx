import type { ComponentProps } from "react";
import { TicketForm } from "~/http/forms/action-form";
import type { Undo } from "~/http/forms/action-result";
import { Button } from "~/ui/forms/button";

interface UndoFormProps extends Pick<ComponentProps<typeof Button>, "variant" | "fit"> {
  "data-shortcut"?: string;
  undo: Undo;
  /** Which of several messages it takes back. */
  place?: string;
  action: string;
  here: string;
}

export function UndoForm({ undo: { intent, fields, ticket = "" }, place, action, here, ...button }: UndoFormProps) {
  return (
    <TicketForm
      page={{ sealed: ticket, subject: JSON.stringify(fields) }}
      operation={intent}
      place={place}
      action={action}
      preventScrollReset
    >
      <input type="hidden" name="to" value={here} />
      <Button value={intent} size="small" icon="undo" {...button}>
        Fortryd
      </Button>
    </TicketForm>
  );
}

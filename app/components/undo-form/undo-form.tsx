import type { ComponentProps } from "react";
import { TicketForm } from "~/http/forms/action-form";
import type { PageTicket } from "~/http/forms/use-ticket";
import type { Undo } from "~/http/forms/action-result";
import { Button } from "~/ui/forms/button";

interface UndoFormProps extends Pick<ComponentProps<typeof Button>, "variant" | "fit"> {
  undo: Undo;
  /** Of the page that it stands in. */
  page: PageTicket;
  /** Which page takes it. */
  action: string;
  /** Where it leads back to. */
  here: string;
}

/** 'Fortryd' beside the message about a change. */
export function UndoForm({ undo: { intent, fields }, page, action, here, ...button }: UndoFormProps) {
  return (
    <TicketForm page={page} operation={intent} action={action} preventScrollReset>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value={intent} size="small" icon="undo" {...button}>
        Fortryd
      </Button>
    </TicketForm>
  );
}

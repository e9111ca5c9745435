import { Form } from "@remix-run/react";
import type { ComponentProps } from "react";
import type { Undo } from "~/http/forms/action-result";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";

interface UndoFormProps extends Pick<ComponentProps<typeof Button>, "variant" | "fit"> {
  undo: Undo;
  /** Which page takes it. */
  action: string;
  /** Where it leads back to. */
  here: string;
}

/** 'Fortryd' beside the message about a change. */
export function UndoForm({ undo: { intent, fields }, action, here, ...button }: UndoFormProps) {
  return (
    <Form method="post" action={action} preventScrollReset>
      <DefaultIntent value={intent} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value={intent} size="small" icon="undo" {...button}>
        Fortryd
      </Button>
    </Form>
  );
}

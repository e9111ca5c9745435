import { Form } from "@remix-run/react";
import { type ReactNode, useRef } from "react";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { DefaultIntent } from "~/ui/forms/default-intent";

/** A box that is saved as it is ticked; without JavaScript by its button. */
export function SavedBox({
  here,
  intent,
  name,
  label,
  isOn,
  children,
}: {
  here: string;
  intent: string;
  name: string;
  label: string;
  isOn: boolean;
  children: ReactNode;
}) {
  const save = useRef<HTMLSpanElement>(null);
  return (
    <Form method="post" action={here} preventScrollReset className="row">
      <DefaultIntent value={intent} />
      {children}
      <Checkbox
        key={String(isOn)}
        name={name}
        value="on"
        label={label}
        defaultChecked={isOn}
        onChange={() => save.current?.querySelector("button")?.click()}
      />
      <span ref={save} className="scripts:hidden">
        <Button name="intent" value={intent} size="small">
          GEM
        </Button>
      </span>
    </Form>
  );
}

import { useRef } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { openedWith } from "~/text/control-values";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";

export function SavedBox({
  here,
  intent,
  place,
  name,
  label,
  isOn,
  item,
}: {
  here: string;
  intent: string;
  place: string;
  name: string;
  label: string;
  isOn: boolean;
  item?: string;
}) {
  const save = useRef<HTMLSpanElement>(null);
  return (
    <ActionForm
      operation={intent}
      place={place}
      item={item}
      opened={openedWith({ [name]: isOn ? "on" : "" })}
      showsErrors
      action={here}
      preventScrollReset
      className="row"
    >
      <Checkbox
        key={String(isOn)}
        name={name}
        value="on"
        label={label}
        defaultChecked={isOn}
        onChange={() => save.current?.querySelector("button")?.click()}
      />
      <span ref={save} className="scripts:hidden">
        <Button value={intent} size="small">
          GEM
        </Button>
      </span>
    </ActionForm>
  );
}

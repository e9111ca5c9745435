import { useRef } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";

/** A box that is saved as it is ticked; without JavaScript by its button. */
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
  /** Where its answer is shown. */
  place: string;
  name: string;
  label: string;
  isOn: boolean;
  /** The row that it is about. */
  item?: string;
}) {
  const save = useRef<HTMLSpanElement>(null);
  return (
    <ActionForm
      operation={intent}
      place={place}
      item={item}
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
        <Button name="intent" value={intent} size="small">
          GEM
        </Button>
      </span>
    </ActionForm>
  );
}

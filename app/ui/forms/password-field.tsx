import { useState } from "react";
import { classNames } from "~/ui/layout/class-names";
import { besideButton, Field, fieldAria, hintIds, inField, inputProps, splitField, widthClass } from "./field";
import { Icon } from "~/ui/icons/icon";
import type { TextFieldProps } from "./text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";

/** A password with a show button (script only). Public sign-in uses TextField type="password". */
export function PasswordField({ width = "full", ...props }: TextFieldProps) {
  const { around, attributes } = splitField(props);
  const { id, field, hint } = around;
  const hydrated = useHydrated();
  const [shown, setShown] = useState(false);
  return (
    <Field {...around}>
      <div className={classNames("relative", widthClass[width])}>
        <input
          {...(field && inputProps(field, { type: "password", ariaDescribedBy: hintIds(id, hint) }))}
          {...attributes}
          type={shown ? "text" : "password"}
          id={id}
          {...fieldAria(id, around)}
          className={`input ${besideButton}`}
        />
        {hydrated && (
          <button
            type="button"
            className={inField}
            aria-pressed={shown}
            aria-label="Vis adgangskode"
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? "hide" : "show"} />
          </button>
        )}
      </div>
    </Field>
  );
}

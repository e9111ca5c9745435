import { useState } from "react";
import { classNames } from "~/ui/layout/class-names";
import { besideButton, Field, fieldAria, hintIds, inField, inputProps, widthClass } from "./field";
import { Icon } from "~/ui/icons/icon";
import type { TextFieldProps } from "./text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";

/** A password with a show button (script only). Public sign-in uses TextField type="password". */
export function PasswordField({
  field,
  label,
  hint,
  error,
  required,
  optional,
  labelHidden,
  width = "full",
  className,
  id,
  ...rest
}: TextFieldProps) {
  const inputId = id ?? field?.id ?? rest.name ?? "";
  const hydrated = useHydrated();
  const [shown, setShown] = useState(false);
  return (
    <Field id={inputId} {...{ field, label, hint, error, required, optional, labelHidden, className }}>
      <div className={classNames("relative", widthClass[width])}>
        <input
          {...(field && inputProps(field, { type: "password", ariaDescribedBy: hintIds(inputId, hint) }))}
          {...rest}
          type={shown ? "text" : "password"}
          id={inputId}
          {...fieldAria(inputId, { field, hint, error, required })}
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

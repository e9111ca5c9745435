import { useState } from "react";
import { classNames } from "./class-names";
import { Field, fieldAria, widthClass } from "./field";
import { Icon } from "./icon";
import type { TextFieldProps } from "./text-field";
import { useHydrated } from "./use-hydrated";

/** A password, with a button that shows it (script only). For management pages; the public sign-in uses TextField type="password". */
export function PasswordField({
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
  const inputId = id ?? rest.name;
  const hydrated = useHydrated();
  const [shown, setShown] = useState(false);
  return (
    <Field id={inputId} {...{ label, hint, error, required, optional, labelHidden, className }}>
      <div className={classNames("with-button", widthClass[width])}>
        <input
          {...rest}
          type={shown ? "text" : "password"}
          id={inputId}
          {...fieldAria(inputId, { hint, error, required })}
          className="input"
        />
        {hydrated && (
          <button type="button" aria-pressed={shown} aria-label="Vis adgangskode" onClick={() => setShown(!shown)}>
            <Icon name={shown ? "hide" : "show"} />
          </button>
        )}
      </div>
    </Field>
  );
}

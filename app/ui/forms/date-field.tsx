import { type InputHTMLAttributes, useRef, useSyncExternalStore } from "react";
import { classNames } from "~/ui/layout/class-names";
import {
  besideButton,
  Field,
  fieldAria,
  type FieldTexts,
  hintIds,
  inField,
  inputProps,
  splitField,
  widthClass,
} from "./field";
import { Icon } from "~/ui/icons/icon";

export interface DateFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "required" | "type" | "min" | "max">, FieldTexts {
  name?: string;
  id?: string;
  min?: string;
  max?: string;
}

const never = () => () => {};
const canShowPicker = () => "showPicker" in HTMLInputElement.prototype;

const toIso = (text: string) => /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text.trim())?.slice(1).reverse().join("-") ?? "";
const toDanish = (iso: string) => iso.split("-").reverse().join(".");

/**
 * A date typed as dd.mm.åååå, with the browser's calendar if available. The chosen date is announced to React as an
 * input event.
 */
export function DateField({ min, max, ...props }: DateFieldProps) {
  const { around, attributes } = splitField(props);
  const { id, field, label, hint } = around;
  const text = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const hasPicker = useSyncExternalStore(never, canShowPicker, () => false);

  function open() {
    if (!text.current || !picker.current) return;
    picker.current.value = toIso(text.current.value);
    picker.current.showPicker();
  }
  function choose(iso: string) {
    if (!text.current || !iso) return;
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    setValue?.call(text.current, toDanish(iso));
    text.current.focus();
    text.current.dispatchEvent(new Event("input", { bubbles: true }));
  }

  return (
    <Field {...around}>
      <div className={classNames("relative", widthClass[10])}>
        <input
          placeholder="dd.mm.åååå"
          inputMode="numeric"
          autoComplete="off"
          {...(field && inputProps(field, { type: "text", ariaDescribedBy: hintIds(id, hint) }))}
          {...attributes}
          type="text"
          ref={text}
          id={id}
          {...fieldAria(id, around)}
          className={classNames("input", hasPicker && besideButton)}
        />
        {hasPicker && (
          <>
            <input
              ref={picker}
              type="date"
              className="absolute right-0 bottom-0 w-px h-px opacity-0 pointer-events-none"
              tabIndex={-1}
              aria-hidden="true"
              min={min}
              max={max}
              onChange={(event) => choose(event.currentTarget.value)}
            />
            <button
              type="button"
              className={inField}
              disabled={attributes.disabled}
              aria-label={`Vælg ${label.toLowerCase()} i kalender`}
              onClick={open}
            >
              <Icon name="calendar" />
            </button>
          </>
        )}
      </div>
    </Field>
  );
}

import { type ClipboardEvent, type FormEvent, useRef } from "react";
import { bareCpr } from "~/text/cpr";
import { fieldAria, FieldSet, type FieldTexts, type FormField, widthClass } from "./field";

export interface CprFieldProps extends Omit<FieldTexts, "field" | "label"> {
  /** The two boxes of a form. The error is the first one's. */
  fields?: { six: FormField; four: FormField };
  label?: string;
  /** Id of the fieldset; the boxes are `{id}-6` and `{id}-4`. Link an error to `{id}-6`. */
  id?: string;
  name6?: string;
  name4?: string;
  defaultValue6?: string;
  defaultValue4?: string;
  /** The form the boxes belong to, when they stand outside it. */
  form?: string;
  disabled?: boolean;
  /** The page is there to type this number in: its cursor stands here. */
  begins?: boolean | undefined;
}

/**
 * A CPR number as two boxes, 6 + 4. With JavaScript a paste of the whole number fills both, and the sixth
 * digit moves on. Box one has no maxLength: it would cut a paste of 'DDMMYY-XXXX' before anybody,
 * script or server, could read the rest. The last four may hold letters (replacement numbers).
 */
export function CprField({
  fields,
  label = "CPR-nummer",
  id = fields?.six.id ?? "cpr",
  name6 = fields?.six.name ?? "cpr6",
  name4 = fields?.four.name ?? "cpr4",
  defaultValue6 = fields?.six.defaultValue,
  defaultValue4 = fields?.four.defaultValue,
  form,
  disabled,
  begins,
  ...texts
}: CprFieldProps) {
  const six = useRef<HTMLInputElement>(null);
  const four = useRef<HTMLInputElement>(null);

  function fill(text: string) {
    const bare = bareCpr(text);
    if (six.current) six.current.value = bare.slice(0, 6);
    // Whatever follows the sixth position is kept: a digit too many is for the person to see.
    if (four.current && bare.length > 6) four.current.value = bare.slice(6);
    four.current?.focus();
  }
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData("text");
    if (bareCpr(text).length <= 6) return;
    event.preventDefault();
    fill(text);
    // The browser fires no event for what is filled in with JavaScript, and a form may depend on the number.
    four.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function input(event: FormEvent<HTMLInputElement>) {
    const { value, selectionStart } = event.currentTarget;
    // Only when typing at the end: correcting a digit in the middle must not throw the caret away.
    if (value.length > 6) fill(value);
    else if (/^\d{6}$/.test(value) && selectionStart === 6) four.current?.focus();
  }
  function inputLast(event: FormEvent<HTMLInputElement>) {
    // Who types the dash types it here: the sixth digit has already moved on.
    const { value } = event.currentTarget;
    if (/^[-\s]/.test(value)) event.currentTarget.value = value.replace(/^[-\s]+/, "");
  }
  function pasteLast(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData("text");
    // The box holds four: the browser would cut a whole number, or a dash and four digits.
    if (bareCpr(text).length > 6) return paste(event);
    if (bareCpr(text).length !== 4 || bareCpr(text) === text.toUpperCase()) return;
    event.preventDefault();
    event.currentTarget.value = bareCpr(text);
    event.currentTarget.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const described = { required: fields?.six.required, error: fields?.six.errors, ...texts };
  const aria = fieldAria(id, described);
  return (
    <FieldSet id={id} label={label} {...described}>
      <div className="flex items-center">
        <input
          ref={six}
          id={`${id}-6`}
          name={name6}
          form={form}
          disabled={disabled}
          defaultValue={defaultValue6}
          className={`input ${widthClass[6]}`}
          inputMode="numeric"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form begins with the number: nothing before it is skipped but the shell
          autoFocus={begins}
          aria-label="CPR-nummer, de første 6 cifre"
          onPaste={paste}
          onInput={input}
          {...aria}
        />
        <span className="px-1.5 text-ink2" aria-hidden="true">
          –
        </span>
        <input
          ref={four}
          id={`${id}-4`}
          name={name4}
          form={form}
          disabled={disabled}
          defaultValue={defaultValue4}
          className={`input ${widthClass[4]}`}
          maxLength={4}
          autoComplete="off"
          autoCapitalize="characters"
          aria-label="CPR-nummer, de sidste 4"
          onPaste={pasteLast}
          onInput={inputLast}
          {...aria}
        />
      </div>
    </FieldSet>
  );
}

import { type ClipboardEvent, type FormEvent, useRef } from "react";
import { bareCpr } from "~/text/cpr";
import { fieldAria, FieldSet, type FieldTexts, type FormField, widthClass } from "./field";

interface CprFieldProps extends Omit<FieldTexts, "field" | "label"> {
  fields: { six: FormField; four: FormField };
  label?: string;
  /** Id of the fieldset; boxes are `{id}-6` and `{id}-4`. Link errors to `{id}-6`. */
  id?: string;
  begins?: boolean;
}

/**
 * A CPR number in two boxes. With JavaScript pasting fills both, and the sixth digit moves on. Box one has no
 * maxLength, which would cut a pasted 'DDMMYY-XXXX'. The last four may contain letters.
 */
export function CprField({ fields, label = "CPR-nummer", id = fields.six.id, begins, ...texts }: CprFieldProps) {
  const six = useRef<HTMLInputElement>(null);
  const four = useRef<HTMLInputElement>(null);

  function fill(text: string) {
    const bare = bareCpr(text);
    if (six.current) six.current.value = bare.slice(0, 6);
    // A digit too many is kept for the person to see.
    if (four.current && bare.length > 6) four.current.value = bare.slice(6);
    four.current?.focus();
  }
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData("text");
    if (bareCpr(text).length <= 6) return;
    event.preventDefault();
    fill(text);
    // Setting a value fires no event, and forms depend on the number.
    four.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function input(event: FormEvent<HTMLInputElement>) {
    const { value, selectionStart } = event.currentTarget;
    // Only when typing at the end; correcting a digit must not move the caret.
    if (value.length > 6) fill(value);
    else if (/^\d{6}$/.test(value) && selectionStart === 6) four.current?.focus();
  }
  function inputLast(event: FormEvent<HTMLInputElement>) {
    // The dash is typed here, since the sixth digit has moved on.
    const { value } = event.currentTarget;
    if (/^[-\s]/.test(value)) event.currentTarget.value = value.replace(/^[-\s]+/, "");
  }
  function pasteLast(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData("text");
    // The box holds four characters and would cut a longer paste.
    if (bareCpr(text).length > 6) return paste(event);
    if (bareCpr(text).length !== 4 || bareCpr(text) === text.toUpperCase()) return;
    event.preventDefault();
    event.currentTarget.value = bareCpr(text);
    event.currentTarget.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const described = { required: fields.six.required, error: fields.six.errors, ...texts };
  const aria = fieldAria(id, described);
  return (
    <FieldSet id={id} label={label} {...described}>
      <div className="flex items-center">
        <input
          ref={six}
          id={`${id}-6`}
          name={fields.six.name}
          defaultValue={fields.six.defaultValue}
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
          name={fields.four.name}
          defaultValue={fields.four.defaultValue}
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

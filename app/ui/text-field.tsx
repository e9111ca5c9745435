import type { InputHTMLAttributes, TextareaHTMLAttributes } from "react";
import { classNames } from "./class-names";
import { Field, fieldAria, type FieldTexts, type FieldWidth, widthClass } from "./field";

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "required">, FieldTexts {
  name: string;
  /** The name unless told; must be given where a page has two forms with the same field. */
  id?: string;
  width?: FieldWidth;
}

/** A one-line field. Other attributes (defaultValue, type, inputMode, autoComplete, maxLength, form) go to the input. */
export function TextField({ label, hint, error, required, optional, labelHidden, width = "full", className, id, ...rest }: TextFieldProps) {
  const inputId = id ?? rest.name;
  return (
    <Field id={inputId} {...{ label, hint, error, required, optional, labelHidden, className }}>
      <input type="text" {...rest} id={inputId} {...fieldAria(inputId, { hint, error, required })} className={classNames("input", widthClass[width])} />
    </Field>
  );
}

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "required">, FieldTexts {
  name: string;
  id?: string;
}

/** A field of several lines. */
export function TextArea({ label, hint, error, required, optional, labelHidden, className, id, ...rest }: TextAreaProps) {
  const inputId = id ?? rest.name;
  return (
    <Field id={inputId} {...{ label, hint, error, required, optional, labelHidden, className }}>
      <textarea rows={3} {...rest} id={inputId} {...fieldAria(inputId, { hint, error, required })} className="input" />
    </Field>
  );
}

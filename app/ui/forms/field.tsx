import type { FieldMetadata } from "@conform-to/react";
import type { AriaAttributes, ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { InlineIcon } from "~/ui/icons/inline-icon";

/** A field of a Conform form. */
export type FormField = FieldMetadata<any, any>;

/** What every field takes. The texts are whole sentences in Danish; an error says what to do. */
export interface FieldTexts {
  label: string;
  /** Under the input. */
  hint?: ReactNode;
  /** Of a form: gives the field its name, id, value, constraints and error. Left out where the page says them itself. */
  field?: FormField;
  /** Above the input, in place of what the form's answer says. Several are joined. */
  error?: string | readonly string[];
  /**
   * Red asterisk; the form's schema says so unless told. The server answers for what is missing, so it is aria-required: screen readers call
   * an input with the browser's `required` invalid before anybody has typed.
   */
  required?: boolean;
  /** Writes '(valgfri)' after the label. */
  optional?: boolean;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean;
}

/** Width as a hint of the content: about so many characters; full = its column. */
export type FieldWidth = 2 | 4 | 6 | 10 | 20 | "full";

export const widthClass: Record<FieldWidth, string | false> = {
  2: "max-w-[76px]",
  4: "max-w-[104px]",
  6: "max-w-[128px]",
  10: "max-w-[176px]",
  20: "max-w-[280px]",
  full: false,
};

/** The first word is what the public pages dress (styles/public.css). */
export const hintLine = "hint mt-1 [overflow-wrap:anywhere] text-ink2 text-meta";
export const errorLine = "field-error flex mb-1 text-err text-meta font-semibold";

/** A button at the end of an input, both in one `relative` box, and the room that the input leaves it. */
export const inField =
  "absolute right-px top-px bottom-px flex items-center justify-center w-11 table:w-9 rounded-sm text-primary-ink";
export const besideButton = "pr-12 table:pr-10";

export function errorText(error: FieldTexts["error"]): string | undefined {
  return (typeof error === "string" ? error : error?.join(" ")) || undefined;
}

const hasHint = (hint: ReactNode) => hint !== undefined && hint !== null && hint !== "";

/** The ids that describe an input inside `<Field id={id}>`, besides its error; `also` names further elements. */
export const hintIds = (id: string, hint: ReactNode, also?: string) => classNames(hasHint(hint) && `${id}-hint`, also);

/** The aria attributes of an input inside `<Field id={id}>` that Conform does not give: it is of no form, or the page has a word of its own about it. */
export function fieldAria(
  id: string,
  { field, hint, error, required = field?.required }: Pick<FieldTexts, "field" | "hint" | "error" | "required">,
  also?: string,
): AriaAttributes & { required: undefined } {
  const aria = { required: undefined, "aria-required": required || undefined };
  if (field && error === undefined) return aria;
  const bad = errorText(error) !== undefined;
  return {
    ...aria,
    "aria-describedby": classNames(bad && `${id}-error`, hintIds(id, hint, also)),
    "aria-invalid": bad || undefined,
  };
}

function LabelText({ label, required, optional }: Pick<FieldTexts, "label" | "required" | "optional">) {
  return (
    <>
      {label}
      {required && (
        <span className="req text-err" aria-hidden="true">
          {" *"}
        </span>
      )}
      {optional && <span className="label-opt text-ink2 font-normal"> (valgfri)</span>}
    </>
  );
}

function FieldError({ id, error }: { id: string; error: FieldTexts["error"] }) {
  const text = errorText(error);
  return text ? (
    <p className={errorLine} id={`${id}-error`}>
      <InlineIcon name="alert" size={16} className="mt-0.5 mr-1.5" />
      <span>{text}</span>
    </p>
  ) : null;
}

export interface FieldProps extends FieldTexts {
  /** The id of the input; `{id}-error` and `{id}-hint` are taken from it. */
  id: string;
  className?: string;
  children: ReactNode;
}

/** Label, error, input, hint, in that order, around one input. */
export function Field({
  field,
  id,
  label,
  hint,
  error = field?.errors,
  required = field?.required,
  optional,
  labelHidden,
  className,
  children,
}: FieldProps) {
  return (
    <div className={classNames("field", errorText(error) && "field-bad", className)}>
      <label htmlFor={id} className={labelHidden ? "sr-only" : "label"}>
        <LabelText label={label} required={required} optional={optional} />
      </label>
      <FieldError id={id} error={error} />
      {children}
      {hasHint(hint) && (
        <p className={hintLine} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The same around several inputs (CPR, time, choices): a fieldset, with the label as its legend. `id` stands on the fieldset. */
export function FieldSet({
  field,
  id,
  label,
  hint,
  error = field?.errors,
  required,
  optional,
  labelHidden,
  className,
  children,
}: FieldProps) {
  return (
    <fieldset
      id={id}
      aria-describedby={fieldAria(id, { hint, error })["aria-describedby"]}
      className={classNames("field", errorText(error) && "field-bad", className)}
    >
      <legend className={labelHidden ? "sr-only" : "label"}>
        <LabelText label={label} required={required} optional={optional} />
      </legend>
      <FieldError id={id} error={error} />
      {children}
      {hasHint(hint) && (
        <p className={hintLine} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}

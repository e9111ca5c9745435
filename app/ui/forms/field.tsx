import { type FieldMetadata, getInputProps, getSelectProps, getTextareaProps } from "@conform-to/react";
import type { AriaAttributes, ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { Button } from "./button";

/** A field of a form; `isConflict` where somebody else has changed it too (http/forms/read-fields.ts). */
export type FormField = FieldMetadata<any, any> & { isConflict?: boolean };

export interface FieldTexts {
  label: string;
  hint?: ReactNode;
  field?: FormField;
  error?: string | readonly string[];
  /**
   * Red asterisk, by schema if not given. aria-required only, because screen readers call empty `required` inputs
   * invalid.
   */
  required?: boolean;
  optional?: boolean;
  labelHidden?: boolean;
}

export type FieldWidth = 2 | 4 | 6 | 10 | 20 | "full";

export const widthClass: Record<FieldWidth, string | false> = {
  2: "max-w-[76px]",
  4: "max-w-[104px]",
  6: "max-w-[128px]",
  10: "max-w-[176px]",
  20: "max-w-[280px]",
  full: false,
};

/** `hint` is styled by public pages (styles/public.css). */
export const hintLine = "hint mt-1 [overflow-wrap:anywhere] text-ink2 text-meta";
export const errorLine = "field-error flex mb-1 whitespace-pre-line text-err text-meta font-semibold";

/** A button inside an input's end, and the input's padding for it. */
export const inField =
  "absolute right-px top-px bottom-px flex items-center justify-center w-11 table:w-9 rounded-sm text-primary-ink";
export const besideButton = "pr-12 table:pr-10";

function errorText(error: FieldTexts["error"]): string | undefined {
  return (typeof error === "string" ? error : error?.join(" ")) || undefined;
}

const hasHint = (hint: ReactNode) => hint !== undefined && hint !== null && hint !== "";

/** Ids that describe an input inside `<Field id={id}>`, besides its error. */
export const hintIds = (id: string, hint: ReactNode, also?: string) => classNames(hasHint(hint) && `${id}-hint`, also);

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

/** The input between the error and the hint that describe it. */
function Described({ id, field, error, hint, children }: Omit<FieldProps, "label">) {
  const text = errorText(error);
  return (
    <>
      {text && (
        <div className="flex flex-wrap items-baseline">
          <p className={errorLine} id={`${id}-error`}>
            <InlineIcon name="alert" size={16} className="mt-0.5 mr-1.5" />
            <span>{text}</span>
          </p>
          {field?.isConflict && (
            <>
              <input type="hidden" name="conflict" value={field.name} />
              <Button
                name="takePresent"
                value={field.name}
                size="small"
                variant="plain"
                fit="tight"
                className="ml-1 underline"
                aria-describedby={`${id}-error`}
              >
                Tag den nye
              </Button>
            </>
          )}
        </div>
      )}
      {children}
      {hasHint(hint) && (
        <p className={hintLine} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

interface FieldProps extends FieldTexts {
  /** Id of the input; `{id}-error` and `{id}-hint` derive from it. */
  id: string;
  className?: string;
  children: ReactNode;
}

/** Splits a control's props into those of the `<Field>` around it and the control's own attributes. */
export function splitField<P extends FieldTexts & { id?: string; name?: string; className?: string }>(props: P) {
  const { field, label, hint, error, required, optional, labelHidden, className, id, ...attributes } = props;
  const around = { field, label, hint, error, required, optional, labelHidden, className };
  return { around: { ...around, id: id ?? field?.id ?? props.name ?? "" }, attributes };
}

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
      <Described id={id} field={field} error={error} hint={hint}>
        {children}
      </Described>
    </div>
  );
}

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
      <Described id={id} field={field} error={error} hint={hint}>
        {children}
      </Described>
    </fieldset>
  );
}

/*
 * Conform's control attributes without `form`: with it Chromium restores text on 'Back' by address, also for
 * another person; without, the form's first names decide (action-form.tsx).
 */

/**
 * For selects, boxes and radios: on 'Back' a browser restores them by their position, touched or not, so that they
 * would show another row's choice or an older one.
 */
export const NOT_RESTORED = { autoComplete: "off" } as const;

const withoutForm = <P extends { form: string }>(props: P): Omit<P, "form"> => ({ ...props, form: undefined });

export const inputProps = (...given: Parameters<typeof getInputProps>) => withoutForm(getInputProps(...given));

export const selectProps = (...given: Parameters<typeof getSelectProps>) => withoutForm(getSelectProps(...given));

export const textareaProps = (...given: Parameters<typeof getTextareaProps>) => withoutForm(getTextareaProps(...given));

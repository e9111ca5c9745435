import type { Constraint } from "@conform-to/dom";
import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import type { ControlValues } from "~/text/control-values";

/** A field without constraints. */
const UNCONSTRAINED: Record<keyof Constraint, undefined> = {
  required: undefined,
  minLength: undefined,
  maxLength: undefined,
  min: undefined,
  max: undefined,
  step: undefined,
  pattern: undefined,
  multiple: undefined,
  accept: undefined,
};

/**
 * Fields of a Conform form with the values that kit components read. Conform rebuilds a field on every property access,
 * about thirty per input, so values that only an answer changes are read once here. `followed` has the values of fields
 * that follow the page, `conflicts` names those that somebody else has changed too.
 */
export function readFields<T extends Record<string, any>>(
  form: FormMetadata<T>,
  fields: ReturnType<FormMetadata<T>["getFieldset"]>,
  constraints: Record<string, Constraint> = {},
  followed: ControlValues = {},
  conflicts: readonly string[] = [],
): typeof fields {
  const { id: formId, allErrors, initialValue } = form;
  const values: Record<string, unknown> = { ...(initialValue as object | undefined), ...followed };
  const read = (name: string) => {
    const id = `${formId}-${name}`;
    const known = {
      id,
      name,
      formId,
      errorId: `${id}-error`,
      errors: allErrors[name],
      initialValue: values[name],
      isConflict: conflicts.includes(name),
      ...UNCONSTRAINED,
      ...constraints[name],
    };
    return Object.setPrototypeOf(known, fields[name]!) as FieldMetadata;
  };
  return new Proxy(fields, {
    get: (conforms, name) => (typeof name === "string" ? read(name) : Reflect.get(conforms, name)),
  });
}

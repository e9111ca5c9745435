import type { Constraint } from "@conform-to/dom";
import type { FieldMetadata, FormMetadata } from "@conform-to/react";

/** What a field may be held to, none of it said. */
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
 * The fields of a Conform form, each with what a kit part reads of it. Conform puts a field together anew at every property that is read, and an
 * input reads some thirty: what only an answer changes is read here, of the form as a whole. Everything else, such as what stands in a field by
 * now, is Conform's own.
 */
export function readFields<T extends Record<string, any>>(
  form: FormMetadata<T>,
  fields: ReturnType<FormMetadata<T>["getFieldset"]>,
  constraints: Record<string, Constraint> = {},
): typeof fields {
  const { id: formId, allErrors, initialValue } = form;
  const values = (initialValue ?? {}) as Record<string, unknown>;
  const read = (name: string) => {
    const id = `${formId}-${name}`;
    const known = {
      id,
      name,
      formId,
      errorId: `${id}-error`,
      errors: allErrors[name],
      initialValue: values[name],
      ...UNCONSTRAINED,
      ...constraints[name],
    };
    return Object.setPrototypeOf(known, fields[name]!) as FieldMetadata;
  };
  return new Proxy(fields, {
    get: (conforms, name) => (typeof name === "string" ? read(name) : Reflect.get(conforms, name)),
  });
}

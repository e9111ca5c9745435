import type { Constraint } from "@conform-to/dom";
import { getZodConstraint } from "@conform-to/zod/v4";
import type { z } from "zod";
import type { Operation } from "~/access/operation.server";
import { HIDDEN_FIELDS, objectsIn } from "./form-fields.server";

export type FormConstraint = Record<string, Constraint>;

const known = new WeakMap<z.ZodType, FormConstraint>();

/** Constraints of a page's forms by intent, passed by the loader so that no schema reaches the browser. */
export function formConstraints(operations: Record<string, Operation<any, any>>): Record<string, FormConstraint> {
  return Object.fromEntries(Object.entries(operations).map(([intent, { input }]) => [intent, constraintOf(input)]));
}

function constraintOf(schema: z.ZodType): FormConstraint {
  const before = known.get(schema);
  if (before) return before;
  const constraint: FormConstraint = {};
  for (const object of objectsIn(schema)) {
    const constraints = getZodConstraint(object);
    for (const [name, field] of Object.entries(object.shape)) {
      if (HIDDEN_FIELDS.has(name)) continue;
      // Conform reads only the outer schema and treats defaults as required.
      const { required, ...rest } = { ...constraints[name], required: !field.safeParse(undefined).success };
      if (required || Object.keys(rest).length > 0) constraint[name] = required ? { ...rest, required } : rest;
    }
  }
  known.set(schema, constraint);
  return constraint;
}

import { z } from "zod";
import type { Constraint } from "@conform-to/dom";
import { getZodConstraint } from "@conform-to/zod/v4";
import { Refusal } from "~/access/refusal";
import type { Operation } from "~/access/operation.server";

const MAX_OF_ONE_NAME = 200;

/** Hidden fields cannot be corrected by a person: a wrong one means an old or altered page. */
export const HIDDEN_FIELDS: ReadonlySet<string> = new Set([
  "formKey",
  "formId",
  "version",
  "seenVersion",
  "referralId",
  "fileId",
  "messageId",
  "count",
  "massChangeId",
]);

/** Throws `formUnreadable` if a name is repeated more often than its schema allows. */
export function refuseRepeats(form: FormData, schema: z.ZodType): void {
  const counts = new Map<string, number>();
  for (const name of form.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) {
    if (count > MAX_OF_ONE_NAME && count > maxListLength(schema, name)) throw new Refusal("formUnreadable");
  }
}

/**
 * Values to show again: a text that was sent more than once is its last value, since its field on the page takes one. Which names are texts
 * the schemas of the page's forms say.
 */
export function oneTextEach<V>(
  values: Record<string, V>,
  operations: readonly { input: z.ZodType }[],
): Record<string, V> {
  const objects = operations.flatMap(({ input }) => objectsIn(input));
  const kinds = (name: string) =>
    objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [bare(shape[name] as z.ZodType)] : []));
  const isText = (name: string) => kinds(name).some((kind) => kind instanceof z.ZodString) && !isList(name);
  const isList = (name: string) => kinds(name).some((kind) => kind instanceof z.ZodArray);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) && isText(name) ? (value[value.length - 1] as V) : value,
    ]),
  );
}

const MAX_OTHER_NAMES = 100;

/** Whether a form has more names than its page's forms have. False if one of the operations takes any name. */
export function hasUnknownNames(form: FormData, operations: readonly { input: z.ZodType }[]): boolean {
  const objects = operations.map(({ input }) => objectsIn(input));
  if (objects.some((parts) => parts.length === 0 || parts.some(takesAnyName))) return false;
  const known = new Set(objects.flat().flatMap(({ shape }) => Object.keys(shape)));
  return new Set([...form.keys()].filter((name) => !known.has(name))).size > MAX_OTHER_NAMES;
}

const takesAnyName = ({ def: { catchall } }: z.ZodObject) =>
  catchall !== undefined && !(catchall instanceof z.ZodNever);

/** Object schemas in a schema, without the transforms around them. */
function objectsIn(schema: z.ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodIntersection)
    return [schema.def.left, schema.def.right].flatMap((part) => objectsIn(part as z.ZodType));
  if (schema instanceof z.ZodPipe) return objectsIn(schema.def.in as z.ZodType);
  return [];
}

function maxListLength(schema: z.ZodType, name: string): number {
  const inner = bare(schema);
  if (inner instanceof z.ZodRecord) return Infinity;
  if (!(inner instanceof z.ZodObject)) return 0;
  const field = Object.hasOwn(inner.shape, name) ? bare(inner.shape[name] as z.ZodType) : inner.def.catchall;
  if (field === inner.def.catchall) return field && !(field instanceof z.ZodNever) ? Infinity : 0;
  const hasOwnLimit =
    field instanceof z.ZodArray && field.def.checks?.some((check) => check._zod.def.check === "max_length");
  return hasOwnLimit ? Infinity : 0;
}

function bare(schema: z.ZodType): z.ZodType {
  const { innerType, in: before } = schema.def as { innerType?: z.ZodType; in?: z.ZodType };
  const inner = innerType ?? before;
  return inner ? bare(inner) : schema;
}

type FormConstraint = Record<string, Constraint>;

const known = new WeakMap<z.ZodType, FormConstraint>();

/** Constraints of a page's forms by intent, passed by the loader so that no schema reaches the browser. */
export function formConstraints(operations: Record<string, Operation<any, any>>): Record<string, FormConstraint> {
  return Object.fromEntries(Object.entries(operations).map(([intent, { input }]) => [intent, constraintOf(input)]));
}

/** Groups of fields of a page's merged forms by intent, passed by the loader so that the fields follow as they merge. */
export const formGroups = (operations: Record<string, Operation<any, any>>) =>
  Object.fromEntries(
    Object.entries(operations).flatMap(([intent, { edit }]) => (edit?.groups?.length ? [[intent, edit.groups]] : [])),
  );

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

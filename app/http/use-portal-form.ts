import { type DefaultValue, type FieldMetadata, type FormMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import { useActionData, useRouteLoaderData } from "@remix-run/react";
import { showBytes } from "~/text/numbers";
import type { FormAnswer } from "./command.server";
import { ANY_FORM } from "./form-answer";

interface Restoring {
  restored?: { formId: string; values: Record<string, unknown> } | null;
}

/**
 * A form's fields with what was typed and what was wrong, from the answer to its POST, from before a sign-in that came in between,
 * or from `defaultValue`; in that order. Validation is the server's alone (design/platform.md).
 *
 * `answer` replaces the route's action data, for a form that is sent by a fetcher.
 */
export function usePortalForm<T extends Record<string, unknown>>(
  formId: string,
  { defaultValue, answer, key }: { defaultValue?: DefaultValue<T>; answer?: FormAnswer; key?: string } = {},
) {
  const actionAnswer = useActionData<FormAnswer>();
  const shell = useRouteLoaderData<Restoring>("routes/management");
  const given = answer ?? actionAnswer;
  const mine = given?.formId === formId || given?.formId === ANY_FORM ? given : undefined;
  const restored = shell?.restored?.formId === formId ? ({ initialValue: shell.restored.values } as SubmissionResult<string[]>) : null;
  const [form, fields] = useForm<T>({
    id: key ? `${formId}-${key}` : formId,
    lastResult: mine?.submission ?? restored,
    defaultValue,
    shouldValidate: "onSubmit",
  });
  return { form, fields, found: mine?.found, held: mine?.held ?? [], wasRefused: mine?.submission?.status === "error", wasRestored: mine === undefined && restored !== null };
}

/** Says which files of a field have arrived and wait, so that nobody sends them twice; undefined when there are none. */
export function heldText(held: NonNullable<FormAnswer["held"]>, field: string): string | undefined {
  const names = held.filter((file) => file.field === field).map((file) => `${file.fileName} (${showBytes(file.sizeBytes)})`);
  return names.length > 0 ? `Modtaget og gemt til formularen: ${names.join(", ")}.` : undefined;
}

/** What a field of the kit takes from Conform's: its name, what was typed, what is wrong. */
export function fieldOf(field: FieldMetadata<unknown, any, any>) {
  return {
    name: field.name,
    id: field.id,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : undefined,
    error: field.errors as string[] | undefined,
  };
}

/**
 * The error summary's lines, one for each wrong field. A field made of several inputs names the one to go to in `firstInput`, by
 * field name.
 */
export function faultsOf(form: Pick<FormMetadata<any, any>, "allErrors" | "id">, firstInput: Record<string, string> = {}) {
  return Object.entries(form.allErrors)
    .filter(([name, errors]) => name !== "" && (errors as string[] | undefined)?.length)
    .map(([name, errors]) => ({ fieldId: firstInput[name] ?? `${form.id}-${name}`, text: (errors as unknown as string[])[0]! }));
}

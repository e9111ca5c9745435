import { useActionData, useRouteLoaderData } from "@remix-run/react";
import { showBytes } from "~/text/numbers";
import type { FormAnswer } from "./command.server";
import { ANY_FORM } from "./form-answer";

interface Restoring {
  restored?: { formId: string; values: Record<string, unknown> } | null;
}

type Values = Record<string, string | undefined>;

/**
 * What a form shows: what was typed and what was wrong, from the answer to its POST, from before a sign-in that came in between, or
 * from `defaults`; in that order. Validation is the server's alone (docs/decisions/0010).
 *
 * `field(name)` is what a field of the kit takes. `faults` are the error summary's lines, in the form's order; a field made of
 * several inputs names the one to go to in `firstInput`.
 */
export function usePortalForm<T extends Values>(formId: string, defaults: Partial<T> = {}, firstInput: Partial<Record<keyof T, string>> = {}) {
  const given = useActionData<FormAnswer>();
  const shell = useRouteLoaderData<Restoring>("routes/management");
  const mine = given?.formId === formId || given?.formId === ANY_FORM ? given : undefined;
  const kept = shell?.restored?.formId === formId ? shell.restored.values : undefined;
  // What was typed stands alone: a field that was emptied, or a box that was unticked, must not fall back to what is saved.
  const typed = mine?.submission?.initialValue ?? kept;
  const values = { ...(typed ?? defaults), ...(mine?.found?.values as Values | undefined) } as Values;
  const errors = mine?.submission?.error ?? {};
  const idOf = (name: string) => `${formId}-${name}`;
  /** Of the form as a whole, such as a refusal. */
  const formErrors = errors[""] ?? [];
  const faults = Object.entries(errors).flatMap(([name, texts]) => (name === "" || !texts ? [] : [{ fieldId: firstInput[name] ?? idOf(name), text: texts[0]! }]));
  return {
    field: (name: keyof T & string) => ({ name, id: idOf(name), defaultValue: values[name], error: errors[name] ?? undefined }),
    /** Whether a box of several is ticked; `saved` says so until something was typed. */
    isTicked: (name: keyof T & string, value: string | number, saved: boolean) => (typed ? ([typed[name]].flat() as unknown[]).includes(String(value)) : saved),
    formErrors,
    faults,
    /** What the error summary takes: the faults of fields under the refusal's own words, or the refusal alone under `title`. */
    summary: (title?: string) => {
      if (faults.length > 0) return { errors: faults, title: formErrors[0] };
      return { errors: formErrors.map((text) => ({ text })), title };
    },
    found: mine?.found,
    held: mine?.held ?? [],
    wasRefused: mine?.submission?.status === "error",
  };
}

/** Says which files of a field have arrived and wait, so that nobody sends them twice; undefined when there are none. */
export function heldText(held: NonNullable<FormAnswer["held"]>, field: string): string | undefined {
  const names = held.filter((file) => file.field === field).map((file) => `${file.fileName} (${showBytes(file.sizeBytes)})`);
  return names.length > 0 ? `Modtaget og gemt til formularen: ${names.join(", ")}.` : undefined;
}

import { useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { showBytes } from "~/text/numbers";
import type { FormAnswer } from "~/http/runners/command.server";
import { useFormAnswer } from "./use-form-answer";
import { guard, type Guarded } from "./unsaved";

interface Restoring {
  restored?: { formId: string; values: Record<string, unknown> } | null;
}

type Values = Record<string, string | undefined>;

interface PortalFormOptions<T> {
  /** Of a field made of several inputs, the one that the summary leads to. */
  firstInput?: Partial<Record<keyof T, string>>;
  /** What the fields are called, in the form's order: the summary's lines come in it, and name the field where the text does not. */
  labels?: Partial<Record<keyof T, string>>;
  /** When leaving asks first. */
  guarded?: Guarded;
}

/** A text that names its field says the beginning of its label; any other gets the label before it. */
function named(label: string | undefined, text: string): string {
  return label === undefined || text.toLowerCase().includes(label.slice(0, 5).toLowerCase())
    ? text
    : `${label}: ${text}`;
}

/**
 * What a form shows: what was typed and what was wrong, from the answer to its POST, from before a sign-in that came in between, or
 * from `defaults`; in that order. Validation is the server's alone (docs/decisions/0010).
 *
 * `field(name)` is what a field of the kit takes. `faults` are the error summary's lines.
 */
export function usePortalForm<T extends Values>(
  formId: string,
  defaults: Partial<T> = {},
  { firstInput = {}, labels = {}, guarded = "query" }: PortalFormOptions<T> = {},
) {
  const mine = useFormAnswer(formId);
  useEffect(() => guard(formId, guarded), [formId, guarded]);
  const shell = useRouteLoaderData<Restoring>("routes/management");
  const kept = shell?.restored?.formId === formId ? shell.restored.values : undefined;
  // What was typed stands alone: a field that was emptied, or a box that was unticked, must not fall back to what is saved.
  const answered = mine?.submission?.initialValue ?? kept;
  const typed = answered && mine?.isCut ? { ...defaults, ...answered } : answered;
  const values = { ...(typed ?? defaults), ...(mine?.found?.values as Values | undefined) } as Values;
  const errors = mine?.submission?.error ?? {};
  const idOf = (name: string) => `${formId}-${name}`;
  /** Of the form as a whole, such as a refusal. */
  const formErrors = errors[""] ?? [];
  const order = Object.keys(labels);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const faults = Object.entries(errors)
    .filter((entry): entry is [string, string[]] => entry[0] !== "" && Boolean(entry[1]))
    .sort(([one], [other]) => place(one) - place(other))
    .map(([name, texts]) => ({ fieldId: firstInput[name] ?? idOf(name), text: named(labels[name], texts[0]!) }));
  return {
    field: (name: keyof T & string) => ({
      name,
      id: idOf(name),
      defaultValue: values[name],
      error: errors[name] ?? undefined,
    }),
    /** Whether a box of several is ticked; `saved` says so until something was typed. */
    isTicked: (name: keyof T & string, value: string | number, saved: boolean) =>
      typed && !(mine?.isCut && !(name in typed)) ? ([typed[name]].flat() as unknown[]).includes(String(value)) : saved,
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
    /** Something was typed that is not saved: a part that folds stands open. */
    isUnsaved: mine?.submission?.status === "error" || kept !== undefined,
  };
}

/** Says which files of a field have arrived and wait, so that nobody sends them twice; undefined when there are none. */
export function heldText(held: NonNullable<FormAnswer["held"]>, field: string): string | undefined {
  const names = held
    .filter((file) => file.field === field)
    .map((file) => `${file.fileName} (${showBytes(file.sizeBytes)})`);
  return names.length > 0 ? `Modtaget: ${names.join(", ")}. Vedhæftes, når du går videre.` : undefined;
}

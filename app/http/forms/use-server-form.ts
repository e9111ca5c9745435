import type { Constraint, DefaultValue, SubmissionResult } from "@conform-to/dom";
import { useForm } from "@conform-to/react";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useMemo, useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { readFields } from "./read-fields";
import { guard, type Guarded } from "./unsaved-forms";
import { useActionResult } from "./use-action-result";

/** The values that the shell restores in a form that was open when the session ended. */
interface Restoring {
  restored?: { formId: string; values: Record<string, unknown> } | null;
}

/** The constraints of the page's forms from its loader (form-constraints.server.ts). */
interface Constrained {
  constraints?: Record<string, Record<string, Constraint>>;
}

interface ServerFormOptions<T> {
  /** The saved values, shown until something is typed. */
  defaultValue?: DefaultValue<T>;
  /** Whose constraints it has, where that is not the form's id. */
  intent?: string;
  /** Of a field made of several inputs, the one that the summary leads to. */
  firstInput?: Partial<Record<keyof T, string>>;
  /** The fields' labels in the form's order: the order of the summary's lines, which name the field where the text does not. */
  labels?: Partial<Record<keyof T, string>>;
  /** When leaving asks first. */
  guarded?: Guarded;
  /** Its errors go at the first edit, as on the public page of the same form. */
  clearsErrors?: boolean;
}

/** No answer to this form: Conform forgets the errors of the one before. */
const UNANSWERED: SubmissionResult<string[]> = {};

/**
 * A Conform form by our protocol. Its result is the action's answer to this form, wherever on the page the last form was sent from; what
 * was typed before a sign-in that came in between stands in the place of what is saved. Validation is the server's alone
 * (docs/decisions/0010): no schema is in the browser, so Conform neither looks at what is typed nor stops a form.
 *
 * Values are Conform's: what a form was opened with or answered stays in it, whatever the page behind it is read anew with. A component that
 * is to begin afresh gets another `key`.
 */
export function useServerForm<T extends Record<string, any>>(
  formId: string,
  {
    defaultValue,
    intent = formId,
    firstInput = {},
    labels = {},
    guarded = "query",
    clearsErrors = false,
  }: ServerFormOptions<T> = {},
) {
  const answer = useActionResult(formId);
  const restored = useRestored(formId);
  const constraint = useLoaderData<Constrained | undefined>()?.constraints?.[intent];
  useEffect(() => guard(formId, guarded), [formId, guarded]);
  const [saved] = useState(defaultValue as object | undefined);
  // Conform takes another object for another answer, and leads to the first wrong field once more.
  const isCorrected = useEdited(formId, answer) && clearsErrors;
  const lastResult = useMemo(() => resultOf(isCorrected ? undefined : answer, saved), [answer, isCorrected, saved]);
  const [form, conformFields] = useForm<T>({
    id: formId,
    lastResult,
    defaultValue: (restored as DefaultValue<T> | undefined) ?? defaultValue,
    constraint: constraint as never,
    shouldValidate: "onSubmit",
  });
  const formErrors = form.errors ?? [];
  const fieldErrors = summaryLines(form.allErrors, (name) => firstInput[name] ?? `${formId}-${name}`, labels);
  const wasRefused = answer?.submission?.status === "error";
  return {
    form,
    fields: readFields(form, conformFields, constraint),
    /** The lines of the error summary that lead to a field. */
    fieldErrors,
    /** Of the form as a whole, such as a refusal. */
    formErrors,
    /** What the error summary takes: the errors of fields under the refusal's own words, or the refusal alone under `title`. */
    summary: (title?: string) => {
      if (fieldErrors.length > 0) return { id: form.errorId, errors: fieldErrors, title: formErrors[0] };
      return { id: form.errorId, errors: formErrors.map((text) => ({ text })), title };
    },
    /** What the button asked for that was answered. */
    asked: answer?.intent,
    data: answer?.data,
    staged: answer?.staged ?? [],
    /** What waits by the answer; undefined where nothing says. */
    answeredStaged: answer?.staged,
    wasRefused,
    /** Whether something typed is unsaved: then a collapsible part is open. */
    isUnsaved: wasRefused || restored !== undefined,
  };
}

/** Whether something has been typed into the form since it was answered. */
function useEdited(formId: string, answer: ActionResult | undefined): boolean {
  const [edited, setEdited] = useState<ActionResult | null>(null);
  useEffect(() => {
    if (answer === undefined) return;
    const edit = (event: Event) => (event.target as HTMLInputElement | null)?.form?.id === formId && setEdited(answer);
    document.addEventListener("input", edit);
    return () => document.removeEventListener("input", edit);
  }, [formId, answer]);
  return answer !== undefined && edited === answer;
}

/** Whether a form was answered, or holds what was typed before a sign-in that came in between: then its collapsible part is open. */
export function useHasAnswer(formId: string): boolean {
  const answer = useActionResult(formId);
  return useRestored(formId) !== undefined || answer?.submission !== undefined;
}

function useRestored(formId: string): Record<string, unknown> | undefined {
  const restored = useRouteLoaderData<Restoring>("routes/management")?.restored;
  return restored?.formId === formId ? restored.values : undefined;
}

/** An action's answer as Conform's result: with what was looked up, and with what is saved where the form did not arrive as a whole. */
function resultOf(answer: ActionResult | undefined, saved: object | undefined): SubmissionResult<string[]> {
  if (!answer?.submission) return UNANSWERED;
  const { initialValue } = answer.submission;
  if (!initialValue) return answer.submission;
  // What was typed stands alone: a field that was emptied, or a box that was unticked, must not fall back to what is saved.
  const typed = answer.isCut ? { ...(saved as typeof initialValue), ...initialValue } : initialValue;
  return {
    ...answer.submission,
    initialValue: { ...typed, ...(answer.data?.values as typeof initialValue | undefined) },
  };
}

/** A text that names its field says the beginning of its label; any other gets the label before it. */
function named(label: string | undefined, text: string): string {
  return label === undefined || text.toLowerCase().includes(label.slice(0, 5).toLowerCase())
    ? text
    : `${label}${label.endsWith("?") ? "" : ":"} ${text}`;
}

function summaryLines(
  errors: Record<string, string[] | null>,
  inputOf: (name: string) => string,
  labels: Partial<Record<string, string>>,
) {
  const order = Object.keys(labels);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(errors)
    .filter((entry): entry is [string, string[]] => entry[0] !== "" && Boolean(entry[1]))
    .sort(([one], [other]) => place(one) - place(other))
    .map(([name, texts]) => ({ fieldId: inputOf(name), text: named(labels[name], texts[0]!) }));
}

/** The files that wait in one field of a form. */
export const receivedIn = (staged: NonNullable<ActionResult["staged"]>, field: string) =>
  staged.filter((file) => file.field === field);

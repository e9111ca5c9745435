import type { Constraint, DefaultValue, SubmissionResult } from "@conform-to/dom";
import { useForm } from "@conform-to/react";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useMemo, useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { guard, type Guarded } from "./unsaved-forms";
import { useActionResult } from "./use-action-result";

interface Restoring {
  restored?: { formId: string; values: Record<string, unknown> } | null;
}

interface Constrained {
  constraints?: Record<string, Record<string, Constraint>>;
}

interface ServerFormOptions<T> {
  defaultValue?: DefaultValue<T>;
  intent?: string;
  firstInput?: Partial<Record<keyof T, string>>;
  /** Labels in form order; summary lines use that order and name the field if the text does not. */
  labels?: Partial<Record<keyof T, string>>;
  guarded?: Guarded;
  /** Errors disappear at the first edit, as on the public page. */
  clearsErrors?: boolean;
}

const UNANSWERED: SubmissionResult<string[]> = {};

/**
 * A Conform form in our protocol. Its result is the answer to this form only; text kept over a sign-in replaces saved
 * values. Only the server validates (docs/decisions/0010), so Conform has no schema. Values stay as opened or answered;
 * use a `key` to start anew.
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
  // A new result object makes Conform focus the first wrong field again.
  const isCorrected = useEdited(formId, answer) && clearsErrors;
  const lastResult = useMemo(() => resultOf(isCorrected ? undefined : answer, saved), [answer, isCorrected, saved]);
  const [form, fields] = useForm<T>({
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
    fields,
    fieldErrors,
    formErrors,
    /** Props of the error summary: field errors under the refusal's text, or the refusal under `title`. */
    summary: (title?: string) => {
      if (fieldErrors.length > 0) return { id: form.errorId, errors: fieldErrors, title: formErrors[0] };
      return { id: form.errorId, errors: formErrors.map((text) => ({ text })), title };
    },
    asked: answer?.intent,
    data: answer?.data,
    staged: answer?.staged ?? [],
    answeredStaged: answer?.staged,
    wasRefused,
    isUnsaved: wasRefused || restored !== undefined,
  };
}

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

/** Whether a form has an answer or restored text, which opens its part. */
export function useHasAnswer(formId: string): boolean {
  const answer = useActionResult(formId);
  return useRestored(formId) !== undefined || answer?.submission !== undefined;
}

function useRestored(formId: string): Record<string, unknown> | undefined {
  const restored = useRouteLoaderData<Restoring>("routes/management")?.restored;
  return restored?.formId === formId ? restored.values : undefined;
}

function resultOf(answer: ActionResult | undefined, saved: object | undefined): SubmissionResult<string[]> {
  if (!answer?.submission) return UNANSWERED;
  const { initialValue } = answer.submission;
  if (!initialValue) return answer.submission;
  // Cleared fields and unticked boxes must not fall back to saved values.
  const typed = answer.isCut ? { ...(saved as typeof initialValue), ...initialValue } : initialValue;
  return {
    ...answer.submission,
    initialValue: { ...typed, ...(answer.data?.values as typeof initialValue | undefined) },
  };
}

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

export const receivedIn = (staged: NonNullable<ActionResult["staged"]>, field: string) =>
  staged.filter((file) => file.field === field);

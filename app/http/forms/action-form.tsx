import { Form, type FormProps, useLoaderData, useRouteLoaderData, useNavigation } from "@remix-run/react";
import { type ComponentProps, forwardRef, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { Constraint, DefaultValue, SubmissionResult } from "@conform-to/dom";
import { type FormMetadata, getFormProps, useForm } from "@conform-to/react";
import { Button, DefaultIntent, type EnterDoes } from "~/ui/forms/button";
import { FormRound } from "~/ui/forms/file-input";
import { ANY_FORM_ID, type ActionResult } from "./action-result";
import {
  intentOf,
  useActionResult,
  useSentForm,
  useTimesSaved,
  type HeldTicket,
  type PageTicket,
  useFormTicket,
  usePageTicket,
  useRestored,
  useSettledActionData,
} from "./use-action-result";
import { readFields } from "./read-fields";
import { guard, type Guarded } from "./unsaved-forms";
import { type Groups, useFollowedFields } from "./use-followed-fields";
import { type ControlValues, digestOf } from "~/text/control-values";

interface TicketFieldsProps {
  operation: string;
  ticket: HeldTicket;
  place?: string;
  item?: string;
  /** What its fields were opened with (`useServerForm`), for a form that edits stored values. */
  opened?: string;
  /** What its selects and boxes show; like `opened`, 'Back' restores nothing in a form that has another by then. */
  shows?: string;
  /**
   * The form may be gone when refused, e.g. a row's buttons after a colleague settled it; the shell then shows the
   * text.
   */
  isOfButtons?: boolean;
  enter?: EnterDoes;
}

/** Hidden fields of a changing form, to be placed first. For plain `<form>`s; otherwise use `ActionForm`. */
export function TicketFields({
  operation,
  ticket,
  place = "",
  item = "",
  opened,
  shows = "",
  isOfButtons = false,
  enter,
}: TicketFieldsProps) {
  const { sealed, begun, person, subject } = ticket;
  const identity = digestOf([person, subject, operation, place, item, shows, opened ?? ""].join("\n"));
  return (
    <>
      {/* On 'Back' Chromium restores a form whose address and first two names are those of a form it left. Disabled, so not sent. */}
      <input type="hidden" name={`of-${identity}`} disabled />
      <input type="hidden" name="ticket" value={sealed} autoComplete="off" />
      {opened !== undefined && <input type="hidden" name="opened" value={opened} autoComplete="off" />}
      {begun !== undefined && <input type="hidden" name="begun" value={begun} autoComplete="off" />}
      {item !== "" && <input type="hidden" name="item" value={item} autoComplete="off" />}
      {place !== "" && <input type="hidden" name="formId" value={place} autoComplete="off" />}
      {isOfButtons && <input type="hidden" name="isOfButtons" value="on" autoComplete="off" />}
      <DefaultIntent value={operation} enter={enter} />
    </>
  );
}

interface ActionFormOptions
  extends Omit<FormProps, "method">, Omit<TicketFieldsProps, "ticket" | "isOfButtons" | "place" | "item"> {
  /** The form of `useServerForm`; absent for a form of buttons. */
  of?: FormMetadata<any, string[]>;
  others?: readonly string[];
  /** The page shows a refusal elsewhere, as every form of `useServerForm` does. */
  showsErrors?: boolean;
}

/** A row's form names its place, by which its answer is found among those of the other rows. */
type ActionFormProps = ActionFormOptions & ({ place: string; item: string } | { place?: string; item?: undefined });

/**
 * A form that changes something. Carries its page's ticket, so that the server knows for whom and what it was opened,
 * and shows a refusal below its buttons.
 */
export const ActionForm = forwardRef<HTMLFormElement, ActionFormProps>(function ActionForm(props, ref) {
  return <TicketForm ref={ref} page={usePageTicket()} {...props} />;
});

/** The same without page data, e.g. in the shell around a failed page. */
export const TicketForm = forwardRef<HTMLFormElement, ActionFormProps & { page: PageTicket }>(function TicketForm(
  {
    page,
    operation,
    of,
    others = [],
    place,
    item,
    opened,
    shows,
    showsErrors = of !== undefined,
    enter = showsErrors ? "operation" : "first button",
    children,
    ...rest
  },
  ref,
) {
  const formIds = [place ?? operation, ...others];
  const form = useRef<HTMLFormElement>(null);
  useImperativeHandle(ref, () => form.current!);
  const ticket = useFormTicket(formIds, page, form);
  const refused = useRefusal(formIds);
  const round = useTimesSaved(formIds);
  return (
    <Form method="post" ref={form} key={ticket.subject} {...(of && getFormProps(of))} {...rest}>
      <TicketFields
        operation={operation}
        ticket={ticket}
        place={place}
        item={item}
        opened={opened}
        shows={shows}
        isOfButtons={!showsErrors}
        enter={enter}
      />
      <FormRound.Provider value={round}>{children}</FormRound.Provider>
      {!showsErrors && refused.length > 0 && (
        <p className="text-err font-semibold mt-2" role="alert">
          {refused.join(" ")}
        </p>
      )}
    </Form>
  );
});

function useRefusal(formIds: readonly string[]): string[] {
  const answer = useActionResult(formIds);
  const sent = useSentForm();
  // A network error is shown by the sent form, or by the page if that is gone.
  if (answer?.formId === ANY_FORM_ID && (sent === null || !formIds.includes(sent))) return [];
  const texts = Object.values(answer?.submission?.error ?? {}).flatMap((each) => each ?? []);
  // The form's own text comes first and may contain a field's.
  return texts.filter((text, index) => texts.findIndex((other) => other.includes(text)) === index);
}

interface Constrained {
  constraints?: Record<string, Record<string, Constraint>>;
  groups?: Record<string, Groups>;
}

interface ServerFormOptions<T> {
  defaultValue?: DefaultValue<T>;
  /** The stored values among the defaults; all of them if not given. */
  stored?: ControlValues;
  /** Facts that the form acts on and does not edit (`Sees` of its operation). */
  sees?: ControlValues;
  /** What text that the page brings back was opened with, where it is not the stored values. */
  keptOpened?: string;
  intent?: string;
  firstInput?: Partial<Record<keyof T, string>>;
  /** Labels in form order; summary lines use that order and name the field if the text does not. */
  labels?: Partial<Record<keyof T, string>>;
  guarded?: Guarded;
  /** Errors disappear at the first edit, as on the public page. */
  clearsErrors?: boolean;
}

const NOTHING: ControlValues = {};
const NO_GROUPS: Groups = [];

const openedIn = (restored: Record<string, unknown> | undefined) =>
  typeof restored?.opened === "string" ? restored.opened : undefined;

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
    stored = defaultValue as ControlValues | undefined,
    sees = NOTHING,
    keptOpened,
    intent = formId,
    firstInput = {},
    labels = {},
    guarded = "query",
    clearsErrors = false,
  }: ServerFormOptions<T> = {},
) {
  const answer = useActionResult(formId);
  const restored = useRestored(formId);
  const page = useLoaderData<Constrained | undefined>();
  const constraint = page?.constraints?.[intent];
  useEffect(() => guard(formId, guarded), [formId, guarded]);
  const { opened, values } = useFollowedFields(
    formId,
    stored ?? NOTHING,
    sees,
    answer,
    openedIn(restored) ?? keptOpened,
    page?.groups?.[intent] ?? NO_GROUPS,
  );
  const [saved] = useState(defaultValue as object | undefined);
  // A new result object makes Conform focus the first wrong field again.
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
    fields: readFields(form, conformFields, constraint, values, answer?.conflicts),
    opened,
    fieldErrors,
    formErrors,
    /** Props of the error summary: field errors under the refusal's text, or the refusal under `title`. */
    summary: (title?: string) => {
      if (fieldErrors.length > 0) return { id: form.errorId, errors: fieldErrors, title: formErrors[0] };
      const isKnown = answer?.isUnanswered === undefined;
      return { id: form.errorId, errors: formErrors.map((text) => ({ text })), title: isKnown ? title : undefined };
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

interface FlashMessage {
  flash: { tone: string; formId?: string; intent?: string }[];
}

export function useButtonState(intent: string, formId = intent): "ready" | "working" | "success" | "failure" {
  const navigation = useNavigation();
  const answer = useSettledActionData((id) => id === formId);
  const flash = useRouteLoaderData<FlashMessage>("routes/management")?.flash;
  const [seen, setSeen] = useState<{ answer: unknown; flash: unknown }>({ answer: null, flash: null });
  useEffect(() => {
    const edited = () => setSeen({ answer, flash });
    document.addEventListener("input", edited);
    return () => document.removeEventListener("input", edited);
  }, [answer, flash]);
  const sent = navigation.formData;
  const asked = sent && intentOf(sent);
  if (sent && asked === intent && (sent.get("formId") ?? asked) === formId) return "working";
  const isOwn = (said: { formId?: string; intent?: string }) => said.formId === formId && said.intent === intent;
  if (answer && isOwn(answer) && answer.submission?.status === "error" && seen.answer !== answer) return "failure";
  return seen.flash !== flash && flash?.some((message) => isOwn(message) && message.tone === "success")
    ? "success"
    : "ready";
}

interface IntentButtonProps extends ComponentProps<typeof Button> {
  value: string;
  /** Where it is not the intent. */
  formId?: string;
}

/** A form's button that shows how its intent went. */
export const IntentButton = ({ value, formId = value, ...rest }: IntentButtonProps) => (
  <Button value={value} state={useButtonState(value, formId)} {...rest} />
);

export function useBusy(intent: string): "working" | "ready" {
  const navigation = useNavigation();
  return navigation.formData && intentOf(navigation.formData) === intent ? "working" : "ready";
}

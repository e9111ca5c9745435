import { useNavigation, useActionData, useLocation, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { isBegun } from "./unsaved-forms";
import { type ActionResult, ANY_FORM_ID } from "./action-result";

const onPage = new Set<string>();

export function useSentForm(): string | null {
  const sending = useNavigation().formData;
  const [sent, setSent] = useState<string | null>(null);
  const going = sending && String(idOfSent(sending));
  if (going !== undefined && going !== sent) setSent(going);
  return sent;
}

/**
 * Answer to this form's last submission while it stays on screen. An answer without a form id, e.g. after a network
 * error, belongs to the sent form, or to any form if that one does not show answers.
 */
export function useActionResult(formIds: string | readonly string[]): ActionResult | undefined {
  const ids = [formIds].flat();
  const sent = useSentForm();
  const joined = ids.join(" ");
  useEffect(() => {
    for (const id of joined.split(" ")) onPage.add(id);
    return () => {
      for (const id of joined.split(" ")) onPage.delete(id);
    };
  }, [joined]);
  const isOthers = sent !== null && !ids.includes(sent) && onPage.has(sent);
  const answer = useSettledActionData((formId) => ids.includes(formId) || (formId === ANY_FORM_ID && !isOthers));
  const shownId = answer?.formId ?? null;
  useEffectBeforePaint(() => {
    if (shownId === null) return;
    const own = { formId: shownId };
    setShowing([...showing, own]);
    return () => setShowing(showing.filter((each) => each !== own));
  }, [shownId]);
  return answer;
}

/** useLayoutEffect warns on the server, which does not paint. */
const useEffectBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

let showing: readonly { formId: string }[] = [];
const listeners = new Set<() => void>();

function setShowing(now: typeof showing): void {
  showing = now;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Ids of forms whose answers the page shows; null if unknown, as on the server. */
export function useShownAnswers(): ReadonlySet<string> | null {
  const shown = useSyncExternalStore(
    subscribe,
    () => showing,
    () => null,
  );
  return shown && new Set(shown.map(({ formId }) => formId));
}

export function useFormErrors(formId: string): string[] {
  return useActionResult(formId)?.submission?.error?.[""] ?? [];
}

interface Held {
  answer: ActionResult | undefined;
  seen: ActionResult | undefined;
  page: string;
  key: string;
  sent: "none" | "own" | "another's";
}

/**
 * Answer to the last submission of forms matching `isOwn`, once the page's data has been reloaded: earlier a conflict
 * would show old values and resend the old version. Kept until one of them is sent again or the page changes, because
 * Remix forgets the answer at any revalidation (poll, upload, other form).
 */
export function useSettledActionData(isOwn: (formId: string) => boolean = isAnyForm): ActionResult | undefined {
  const given = useActionData<ActionResult>();
  const { state, formMethod = "GET", formData } = useNavigation();
  const { pathname, search, hash, key } = useLocation();
  const page = pathname + search;
  const own = given !== undefined && isOwn(given.formId) ? given : undefined;
  const [held, setHeld] = useState<Held>({ answer: own, seen: given, page, key, sent: "none" });
  let now = held;
  if (state !== "idle") {
    const sent = formData && isOwn(String(idOfSent(formData))) ? "own" : "another's";
    if (formMethod !== "GET" && held.sent !== "own" && held.sent !== sent) now = { ...held, sent };
    if (state === "submitting" && given !== undefined && given !== held.seen)
      now = { ...now, seen: given, answer: own ?? now.answer };
  } else if (own !== undefined && (own !== held.seen || held.sent === "own")) {
    now = { answer: own, seen: own, page, key, sent: "none" };
  } else if (own === undefined && held.sent === "own") {
    now = { answer: undefined, seen: given, page, key, sent: "none" };
  } else if (held.sent === "another's") {
    const stays = page.split("?")[0] === held.page.split("?")[0];
    now = { answer: stays ? held.answer : undefined, seen: given, page, key, sent: "none" };
  } else if (own === undefined && key !== held.key && (hash === "" || page !== held.page)) {
    now = { answer: undefined, seen: given, page, key, sent: "none" };
  }
  if (now !== held) setHeld(now);
  return now.answer;
}

const isAnyForm = () => true;

/**
 * Value a form was opened with, including its version: changes with the form's own answer only, so that neither a poll
 * nor another form overwrites it (docs/decisions/0053). After a conflict or save it continues from the present value.
 */
export function useOpenedWith<T>(formId: string | string[], current: T): T {
  return useOpened(formId, current, current)[0];
}

function useOpened<T>(formId: string | string[], current: T, first = current): [T, (value: T) => void] {
  const answer = useActionData<ActionResult>();
  const { state, formData } = useNavigation();
  const isOwn = (id: unknown) => typeof id === "string" && [formId].flat().includes(id);
  const own = isOwn(answer?.formId) ? answer! : null;
  const [opened, setOpened] = useState({ value: first, isSent: false });
  const follow = useCallback((value: T) => setOpened({ value, isSent: false }), []);
  const isSending = state !== "idle" && isOwn(formData && idOfSent(formData));
  if (isSending !== opened.isSent && isSending) setOpened({ ...opened, isSent: true });
  if (!isSending && opened.isSent && state === "idle") {
    // A saved form has no answer but the next page.
    const isNew = !answer || own?.refusal === "conflict";
    const next = { value: isNew ? current : opened.value, isSent: false };
    setOpened(next);
    return [next.value, follow];
  }
  return [opened.value, follow];
}

export const intentOf = (form: FormData) => form.get("intent") ?? form.get("defaultIntent");

export const idOfSent = (form: FormData) => form.get("formId") ?? intentOf(form);

/** How often a form was saved since mounting; a key for forms that start anew. */
export function useTimesSaved(formId: string | string[]): number {
  const answer = useActionData<ActionResult>();
  const { state, formData } = useNavigation();
  const [{ count, isSent }, setCount] = useState({ count: 0, isSent: false });
  const isSending = state !== "idle" && formData !== undefined && [formId].flat().includes(String(idOfSent(formData)));
  if (isSending && !isSent) setCount({ count, isSent: true });
  if (isSending || !isSent || state !== "idle") return count;
  const next = { count: answer ? count : count + 1, isSent: false };
  setCount(next);
  return next.count;
}

export interface PageTicket {
  sealed: string;
  person?: number;
  subject: string;
}

export interface HeldTicket extends PageTicket {
  /** The ticket the form was begun with, before a conflict renewed it; its files are staged under it. */
  begun?: string;
}

export const NO_TICKET: PageTicket = { sealed: "", subject: "" };

const Inherited = createContext<PageTicket | null>(null);

/** For a page shown in another's place whose forms concern the other's subject. */
export const TicketProvider = Inherited.Provider;

export function usePageTicket(): PageTicket {
  const own = useLoaderData<{ ticket?: PageTicket } | null | undefined>()?.ticket;
  return useContext(Inherited) ?? own ?? NO_TICKET;
}

/**
 * The ticket a form was opened with. An untouched form follows the page; one that somebody has begun, or that was
 * refused, keeps its ticket until its own answer, also without JavaScript. `formIds`: the form's id and its buttons'
 * operations; `current`: the page's ticket.
 */
export function useFormTicket(formIds: string[], current: PageTicket, form: RefObject<HTMLFormElement>): HeldTicket {
  const answer = useActionResult(formIds);
  const { state } = useNavigation();
  const restored = useRestored(formIds);
  const sent = answer?.ticket?.subject === current.subject ? answer.ticket : undefined;
  const isConflict = answer?.refusal === "conflict";
  const first = isConflict ? current : (sent ?? restoredTicket(restored, current));
  const [opened, follow] = useOpened<HeldTicket>(formIds, current, first);
  const [wasRestored] = useState(restored !== undefined);
  const mayFollow = answer === undefined && !wasRestored && state === "idle" && opened !== current;
  useEffect(() => {
    if (mayFollow && form.current !== null && !isBegun(form.current)) follow(current);
  }, [mayFollow, current, follow, form]);
  const [subject, setSubject] = useState(current.subject);
  if (subject !== current.subject) setSubject(current.subject);
  const held = opened.subject === current.subject ? opened : current;
  return isConflict && sent ? { ...held, begun: sent.begun ?? sent.sealed } : held;
}

/** The ticket that a form kept over a sign-in was opened with. */
function restoredTicket(restored: Record<string, unknown> | undefined, current: PageTicket): HeldTicket | undefined {
  const { ticket, begun } = restored ?? {};
  if (typeof ticket !== "string") return undefined;
  return { ...current, sealed: ticket, begun: typeof begun === "string" ? begun : undefined };
}

interface Restoring {
  restored?: { formId: string; values: Record<string, unknown> } | null;
}

/** What was typed in one of these forms and kept over a sign-in. */
export function useRestored(formIds: string | readonly string[]): Record<string, unknown> | undefined {
  const restored = useRouteLoaderData<Restoring>("routes/management")?.restored;
  return restored && [formIds].flat().includes(restored.formId) ? restored.values : undefined;
}

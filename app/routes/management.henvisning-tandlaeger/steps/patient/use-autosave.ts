import { useFetcher } from "@remix-run/react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";
import { isLocked } from "~/http/forms/document-person";
import { discardUnsaved, registerAutosaved } from "~/http/forms/unsaved-forms";
import { showTime } from "~/text/dates";
import { joinCprBoxes, parseCpr } from "~/text/cpr";

const REST_MS = 2500;
/** Browsers send at most 64 KB after their page has gone. */
const MAX_KEEPALIVE_BYTES = 60_000;

class Autosave {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** A copy may have no number yet; the first with one replaces it. */
  #mayStandWithoutNumber: boolean;
  #isContinued = false;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly owner: FormOwner,
    private readonly send: (typed: URLSearchParams) => void,
  ) {
    this.#mayStandWithoutNumber = owner.cpr() === null;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  later(delay: number): void {
    this.halt();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.send(this.#typed());
    }, delay);
  }

  halt(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  wasSaved(): void {
    if (this.#isContinued) this.#mayStandWithoutNumber = false;
  }

  deliver(change?: "number"): void {
    if (!this.isWaiting || isLocked()) return;
    this.halt();
    const body = this.#typed();
    const [six, four] = this.owner.cpr()?.split("-") ?? [];
    // The boxes contain the next patient's number.
    if (change === "number" && six && four) {
      body.set("cpr6", six);
      body.set("cpr4", four);
    }
    // The form's own address, since the page's may have changed.
    void fetch(this.form.action, {
      method: "POST",
      body,
      keepalive: body.toString().length < MAX_KEEPALIVE_BYTES,
    }).catch(() => undefined);
  }

  stop(): void {
    this.halt();
    this.#isClosed = true;
  }

  #typed(): URLSearchParams {
    const typed = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) if (typeof value === "string") typed.append(name, value);
    typed.set("intent", "saveAutosave");
    typed.set("typedFor", this.owner.cpr() ?? "");
    this.#isContinued = this.#mayStandWithoutNumber && this.owner.cpr() !== null;
    if (this.#isContinued) typed.set("continued", "on");
    return typed;
  }
}

const AGAIN_MS = 10_000;

export type AutosaveState = { kind: "none" } | { kind: "saved"; at: string } | { kind: "failed" };

interface FormAutosave {
  state: AutosaveState;
  close(): void;
  stop(): void;
}

/**
 * Autosaves a form to the server; nothing about a patient is stored in the browser. Copies belong to the form's CPR
 * number whatever is half-typed (docs/decisions/0052). @param answer changes whenever the form was sent and stayed
 */
export function useAutosave(form: RefObject<HTMLFormElement>, owner: FormOwner, answer: unknown): FormAutosave {
  const fetcher = useFetcher<ActionResult>();
  const submit = useRef(fetcher.submit);
  useEffect(() => {
    submit.current = fetcher.submit;
  });
  const [wasSent, setSent] = useState(false);
  const autosave = useRef<Autosave | null>(null);

  const hasFailed = useRef(false);
  const state: AutosaveState = wasSent ? stateOf(fetcher.data) : { kind: "none" };
  useEffect(() => {
    hasFailed.current = state.kind === "failed";
  });

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const made: Autosave = new Autosave(element, owner, (typed) => {
      if (isLocked()) return made.later(AGAIN_MS);
      setSent(true);
      submit.current(typed, { method: "post", preventScrollReset: true });
    });
    autosave.current = made;
    const release = registerAutosaved(element, () => navigator.onLine && !hasFailed.current);
    const typed = () => made.later(REST_MS);
    const halt = () => made.halt();
    const deliver = () => made.deliver();
    element.addEventListener("input", typed);
    element.addEventListener("submit", halt);
    window.addEventListener("pagehide", deliver);
    return () => {
      release();
      made.deliver();
      element.removeEventListener("input", typed);
      element.removeEventListener("submit", halt);
      window.removeEventListener("pagehide", deliver);
    };
  }, [form, owner]);

  const { data } = fetcher;
  const found = data?.data;
  useEffect(() => {
    if (found && "savedAt" in found) autosave.current?.wasSaved();
    // Nothing was wrong: the connection broke or the session expired.
    else if (data && !found && !autosave.current?.isWaiting) autosave.current?.later(AGAIN_MS);
  }, [data, found]);
  useEffect(() => {
    if (answer) autosave.current?.later(REST_MS);
  }, [answer]);

  return {
    state,
    close: () => {
      autosave.current?.deliver("number");
      autosave.current?.stop();
      discardUnsaved(form.current);
    },
    stop: () => {
      autosave.current?.stop();
      discardUnsaved(form.current);
    },
  };
}

function stateOf(data: ActionResult | undefined): AutosaveState {
  const savedAt = data?.data?.savedAt;
  if (typeof savedAt === "string") return { kind: "saved", at: showTime(savedAt) };
  return !data || savedAt === null ? { kind: "none" } : { kind: "failed" };
}

/** The CPR number a form's text belongs to: the last complete one in its boxes; null before. */
export interface FormOwner {
  cpr(): string | null;
  belongsTo(cpr: string): void;
}

export function useFormOwner(opened: { cpr6?: string; cpr4?: string } | null): FormOwner {
  const number = useRef(parseCpr(joinCprBoxes(opened?.cpr6 ?? "", opened?.cpr4 ?? "")));
  return useMemo(
    () => ({
      cpr: () => number.current,
      belongsTo: (cpr) => {
        number.current = cpr;
      },
    }),
    [],
  );
}

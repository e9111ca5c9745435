import { useFetcher } from "@remix-run/react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { FormAnswer } from "~/http/command.server";

/** Milliseconds of rest after a keystroke before what stands in the form is kept. */
const REST_MS = 2500;

/** What is said beside the button: the time of the last keeping, or that it did not go well. */
export type AutosaveState = { kind: "none" } | { kind: "saved"; at: string } | { kind: "failed" };

function typedIn(form: HTMLFormElement): URLSearchParams {
  const typed = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") typed.append(name, value);
  typed.set("intent", "keepTyped");
  return typed;
}

/** Keeps what is typed in a form on the server while it is written; nothing about a patient is kept in the browser. */
export function useAutosave(form: RefObject<HTMLFormElement>): AutosaveState {
  const fetcher = useFetcher<FormAnswer>();
  const submit = useRef(fetcher.submit);
  useEffect(() => {
    submit.current = fetcher.submit;
  });
  const [wasKept, setKept] = useState(false);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      timer = undefined;
      setKept(true);
      submit.current(typedIn(element), { method: "post", preventScrollReset: true });
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, REST_MS);
    };
    const stop = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    // The page goes away before the rest is over: the browser delivers this one by itself.
    const leave = () => {
      if (timer === undefined) return;
      stop();
      void fetch(location.href, { method: "POST", body: typedIn(element), keepalive: true }).catch(() => undefined);
    };
    element.addEventListener("input", later);
    element.addEventListener("submit", stop);
    window.addEventListener("pagehide", leave);
    return () => {
      leave();
      element.removeEventListener("input", later);
      element.removeEventListener("submit", stop);
      window.removeEventListener("pagehide", leave);
    };
  }, [form]);
  const savedAt = fetcher.data?.found?.savedAt;
  if (!wasKept) return { kind: "none" };
  if (typeof savedAt === "string") return { kind: "saved", at: savedAt };
  return fetcher.data ? { kind: "failed" } : { kind: "none" };
}

import { useNavigation, useSubmit } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { intentOf } from "./use-action-result";

interface Pressed {
  form: HTMLFormElement;
  button: HTMLElement | null;
  /** What the form held when it was pressed. */
  body: FormData;
}

function pressedOf(form: HTMLFormElement, button: HTMLElement | null): Pressed {
  const body = new FormData(form);
  if (button instanceof HTMLButtonElement && button.name !== "") body.append(button.name, button.value);
  // Enter presses a button without a name; a click on the button of the same operation is the same press.
  const intent = intentOf(body);
  if (intent !== null) body.set("intent", intent);
  return { form, button, body };
}

const wordsOf = (body: FormData) =>
  [...body].map(([name, value]) =>
    typeof value === "string" ? [name, value] : [name, value.name, value.size, value.lastModified],
  );

const isSame = (one: Pressed, other: Pressed) =>
  one.form === other.form && JSON.stringify(wordsOf(one.body)) === JSON.stringify(wordsOf(other.body));

/**
 * Submits the page's forms one after another, because Remix drops an answer when another form is sent before it
 * arrives. A form pressed meanwhile waits; a button already sent with the same words and files is not sent twice.
 */
export function useSendInTurn(): { isSending: boolean; isWaiting: boolean } {
  const { state, formMethod = "GET" } = useNavigation();
  const isSending = state !== "idle" && formMethod !== "GET";
  const [isWaiting, setWaiting] = useState(false);
  const submit = useSubmit();
  const isUnderWay = useRef(false);
  const sent = useRef<Pressed | null>(null);
  const waiting = useRef<Pressed[]>([]);

  useEffect(() => {
    const press = (event: SubmitEvent) => {
      if (!(event.target instanceof HTMLFormElement)) return;
      const pressed = pressedOf(event.target, event.submitter);
      if (!isUnderWay.current) {
        sent.current = pressed;
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      if ([sent.current!, ...waiting.current].some((other) => isSame(other, pressed))) return;
      waiting.current.push(pressed);
      setWaiting(true);
    };
    window.addEventListener("submit", press, true);
    return () => window.removeEventListener("submit", press, true);
  }, []);

  useEffect(() => {
    isUnderWay.current = isSending;
    if (isSending) return;
    const next = waiting.current.shift();
    setWaiting(waiting.current.length > 0);
    if (!next) return;
    // The form that was on its way is empty once it is saved, so what was pressed after it is sent as it was then.
    if (next.form === sent.current?.form && intentOf(sent.current.body) === intentOf(next.body)) {
      sent.current = next;
      return submit(next.body, {
        method: "post",
        action: next.form.getAttribute("action") ?? undefined,
        encType: next.form.enctype as "multipart/form-data",
        preventScrollReset: true,
      });
    }
    if (!next.form.isConnected) return;
    // Old browsers lack `requestSubmit`, so the button is clicked.
    const button = next.button?.isConnected ? next.button : next.form.querySelector<HTMLElement>("button[name=intent]");
    button?.click();
  }, [isSending, submit]);

  return { isSending, isWaiting };
}

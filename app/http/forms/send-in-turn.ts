import { useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

interface Pressed {
  form: HTMLFormElement;
  button: HTMLElement | null;
}

/**
 * Sends the page's forms one after another. Remix drops the answer of a form when another one is sent before it has come, so that a refusal
 * would never be seen. A form that is pressed meanwhile is sent when the answer is there; the button that is already on its way is not sent twice.
 */
export function useSendInTurn(): { isSending: boolean; isWaiting: boolean } {
  const { state, formMethod = "GET" } = useNavigation();
  const isSending = state !== "idle" && formMethod !== "GET";
  const [isWaiting, setWaiting] = useState(false);
  const isUnderWay = useRef(false);
  const sent = useRef<Pressed | null>(null);
  const waiting = useRef<Pressed[]>([]);

  useEffect(() => {
    const submit = (event: SubmitEvent) => {
      if (!(event.target instanceof HTMLFormElement)) return;
      const pressed = { form: event.target, button: event.submitter };
      if (!isUnderWay.current) {
        sent.current = pressed;
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      const isSame = ({ form, button }: Pressed) => form === pressed.form && button === pressed.button;
      if ([sent.current!, ...waiting.current].some(isSame)) return;
      waiting.current.push(pressed);
      setWaiting(true);
    };
    window.addEventListener("submit", submit, true);
    return () => window.removeEventListener("submit", submit, true);
  }, []);

  useEffect(() => {
    isUnderWay.current = isSending;
    if (isSending) return;
    const next = waiting.current.shift();
    setWaiting(waiting.current.length > 0);
    if (!next?.form.isConnected) return;
    // `requestSubmit` is too new for the oldest browsers: the button is pressed again.
    const button = next.button?.isConnected ? next.button : next.form.querySelector<HTMLElement>("button[name=intent]");
    button?.click();
  }, [isSending]);

  return { isSending, isWaiting };
}

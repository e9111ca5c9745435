import { useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

interface Pressed {
  form: HTMLFormElement;
  button: HTMLElement | null;
}

/**
 * Submits the page's forms one after another, because Remix drops an answer when another form is sent before it
 * arrives. A form pressed meanwhile waits; a button already sent is not sent twice.
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
    // Old browsers lack `requestSubmit`, so the button is clicked.
    const button = next.button?.isConnected ? next.button : next.form.querySelector<HTMLElement>("button[name=intent]");
    button?.click();
  }, [isSending]);

  return { isSending, isWaiting };
}

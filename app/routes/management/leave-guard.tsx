import { type Location, useBlocker, useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { seemsReachable } from "~/http/forms/document-person";
import { untilReachable } from "~/http/forms/client-page";
import { useSendInTurn } from "~/http/forms/send-in-turn";
import { discardUnsaved, wasSent, wasTyped, willType, wouldLose } from "~/http/forms/unsaved-forms";
import { Button } from "~/ui/forms/button";
import { Dialog } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";

const FETCH_MS = 1000;

/** The form being submitted, for the navigation it starts. */
let submitting: HTMLFormElement | null = null;

function endOf(next: Location): { pathname: string; search: string } {
  const to = submitting?.elements.namedItem("to");
  if (!(to instanceof HTMLInputElement) || to.value === "") return next;
  return new URL(to.value, location.origin);
}

const isElsewhere = (next: Location, { pathname, search }: Location) =>
  next.pathname !== pathname || next.search !== search;

const SAY_AFTER_MS = 1000;

/**
 * Asks before unsaved text is left: links, Back and other forms by a dialog, closing by the browser. While a form is
 * being sent, navigation waits for its answer; without a connection it waits for that.
 */
export function LeaveGuard() {
  const { isSending, isWaiting } = useSendInTurn();
  const navigate = useNavigate();
  const isByLink = useRef(false);
  /** Destination once the form's answer has come. */
  const [goingTo, setGoingTo] = useState<Location | null>(null);
  const gone = useRef<Location | null>(null);
  const [isDecided, setDecided] = useState(false);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const mustWait = isSending && (isByLink.current || historyAction === "POP");
    if (mustWait) setGoingTo(nextLocation);
    const loses = wouldLose(endOf(nextLocation), currentLocation);
    setDecided(!loses);
    return (
      mustWait || loses || (submitting === null && !seemsReachable() && isElsewhere(nextLocation, currentLocation))
    );
  });
  useEffect(() => {
    if (isSending && blocker.state === "blocked") blocker.reset();
  }, [blocker, isSending]);
  useEffect(() => {
    if (blocker.state !== "blocked" || !isDecided || isSending) return;
    const waiting = new AbortController();
    void untilReachable(waiting.signal)
      .then(() => waiting.signal.aborted || blocker.proceed())
      // The person has gone elsewhere, and the router no longer holds this navigation.
      .catch(() => undefined);
    return () => waiting.abort();
  }, [blocker, isDecided, isSending]);
  useEffect(() => {
    if (goingTo === null || goingTo === gone.current || isSending) return;
    gone.current = goingTo;
    navigate(goingTo);
  }, [goingTo, isSending, navigate]);
  const isSlow = useLasts(isSending && (isWaiting || goingTo !== null), SAY_AFTER_MS);
  useEffect(() => {
    let fetchedUntil = 0;
    const typed = ({ target, type }: Event) => {
      const { form } = target as HTMLInputElement;
      if (form?.method === "post") (type === "input" ? wasTyped : willType)(form);
    };
    const submit = ({ target }: Event) => {
      if (!(target instanceof HTMLFormElement)) return;
      submitting = target;
      wasSent(target);
      setGoingTo(null);
      setTimeout(() => (submitting = null));
    };
    const click = ({ target }: Event) => {
      // 'Annuller' beside the save button needs no question.
      if (!(target instanceof Element)) return;
      isByLink.current = target.closest("a[href]") !== null;
      setTimeout(() => (isByLink.current = false));
      if (target.closest("[data-discards]")) discardUnsaved(target.closest("form"));
      // The browser does not know that the answer is a file and would ask.
      fetchedUntil = target.closest("[data-file]") ? performance.now() + FETCH_MS : 0;
    };
    const unload = (event: BeforeUnloadEvent) => {
      if (performance.now() < fetchedUntil || !wouldLose(null, location)) return;
      event.preventDefault();
      event.returnValue = "";
    };
    // Text may be typed before the script loads.
    for (const field of document.querySelectorAll<HTMLInputElement>(
      "form[method=post] input[type=text], form[method=post] textarea",
    )) {
      if (field.value !== field.defaultValue && field.form) wasTyped(field.form);
    }
    const heard = { focusin: typed, beforeinput: typed, input: typed, submit, click, beforeunload: unload };
    const listen = (how: "addEventListener" | "removeEventListener") => {
      for (const [type, listener] of Object.entries(heard)) window[how](type, listener, true);
    };
    listen("addEventListener");
    return () => listen("removeEventListener");
  }, []);
  const stay = () => blocker.reset?.();
  const leave = () => {
    discardUnsaved();
    setDecided(true);
  };
  if (isSlow)
    return (
      <div className="flash" role="status">
        <Notice kind="info">
          {goingTo === null
            ? "Sendes, så snart der er svar på det, du sendte før."
            : "Formularen er ved at blive sendt. Siden skifter, når svaret er kommet."}
        </Notice>
      </div>
    );
  if (blocker.state !== "blocked" || isDecided || isSending) return null;
  return (
    <Dialog title="Vil du forlade siden?" open onClose={stay}>
      <div className="stack-s">
        <p>Det, du har skrevet, er ikke gemt. Det går tabt, hvis du går videre.</p>
        <div className="row">
          <Button type="button" variant="primary" onClick={stay}>
            Bliv på siden
          </Button>
          <Button type="button" variant="danger" onClick={leave}>
            Gå videre uden at gemme
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function useLasts(isSo: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isSo) return;
    const timer = setTimeout(() => setLasts(true), ms);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [isSo, ms]);
  return isSo && lasts;
}

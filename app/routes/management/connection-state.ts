import { useParams } from "@remix-run/react";
import { type FormEvent, useEffect, useState } from "react";
import { askWhoIsSignedIn, isLocked, tellPerson } from "~/http/forms/document-person";
import { WAITING_EVENT, ACCOUNT_EVENT } from "~/http/forms/client-page";
import { onReturn } from "~/ui/hooks/on-return";

export function useWaitingPage(): boolean {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const onWaiting = (event: Event) =>
      setCount((before) => before + ((event as CustomEvent<boolean>).detail ? 1 : -1));
    window.addEventListener(WAITING_EVENT, onWaiting);
    return () => window.removeEventListener(WAITING_EVENT, onWaiting);
  }, []);
  return count > 0;
}

const POLL_MS = 10_000;

/**
 * Polls who is signed in, also when the window regains focus, and informs the page. True when signed out, without
 * leaving the page. `person`: whom the shell was loaded for.
 */
export function useAccountPoll(person: { id: number; fullName: string }): boolean {
  const [isSignedOut, setSignedOut] = useState(false);
  const { visitId } = useParams();
  const { id, fullName } = person;
  useEffect(() => tellPerson({ id, fullName }), [id, fullName]);
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      const answer = await askWhoIsSignedIn(visitId);
      if (answer?.status === 401) return setSignedOut(true);
      if (!answer?.account) return;
      setSignedOut(false);
      if (visitId && !isLocked()) window.dispatchEvent(new CustomEvent(ACCOUNT_EVENT, { detail: answer.account }));
    };
    const lookNow = () => void look();
    const timer = setInterval(lookNow, POLL_MS);
    const endReturns = onReturn(lookNow);
    return () => {
      clearInterval(timer);
      endReturns();
    };
  }, [visitId]);
  return isSignedOut;
}

/**
 * Stops forms sent while offline, since the browser's error page would lose all text. `isOffline`: the last one was
 * stopped.
 */
export function useOfflineGuard() {
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const stay = (event: Event) => {
      if (event.defaultPrevented) return;
      if (!navigator.onLine) event.preventDefault();
      setOffline(!navigator.onLine);
    };
    window.addEventListener("submit", stay);
    return () => window.removeEventListener("submit", stay);
  }, []);
  return {
    isOffline,
    /** For the shell's forms, whose page may not be loaded; offline Remix would show the browser's error page. */
    stayOffline(event: FormEvent) {
      if (!navigator.onLine) event.preventDefault();
      setOffline(!navigator.onLine);
    },
  };
}

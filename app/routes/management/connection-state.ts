import { useParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { WAITING_EVENT } from "~/http/forms/keep-page-on-network-error";
import { ACCOUNT_EVENT } from "~/http/forms/revalidation";
import { paths } from "~/paths";

/** Whether a page that was asked for is waiting for the connection (http/forms/keep-page-on-network-error.ts). */
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

/** Milliseconds between two looks at the account. */
const POLL_MS = 10_000;

/** Asks who is signed in, and tells the open page what was answered; when nobody is any more, says so without leaving the page, so that nothing typed is lost. */
export function useAccountPoll(): boolean {
  const [isSignedOut, setSignedOut] = useState(false);
  const { visitId } = useParams();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      fetch(visitId ? `${paths.account}?visitId=${visitId}` : paths.account, {
        headers: { Accept: "application/json" },
      })
        .then(async (answer) => {
          if (answer.status === 401) return setSignedOut(true);
          // Signed in again, perhaps in another window: what stands here can be sent.
          if (answer.ok) setSignedOut(false);
          if (answer.ok && visitId)
            window.dispatchEvent(new CustomEvent(ACCOUNT_EVENT, { detail: await answer.json() }));
        })
        .catch(() => undefined);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [visitId]);
  return isSignedOut;
}

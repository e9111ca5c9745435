import type { ClientLoaderFunctionArgs } from "@remix-run/react";

/** What the shell is told: whether a page that was asked for is waiting for the connection. */
export const WAITING_EVENT = "portal:waiting";

/** Milliseconds between two attempts while the browser does not say that it is back. */
const AGAIN_MS = 3_000;

/**
 * A route's `clientLoader`: a page that cannot be reached is waited for, and the one that is open stays with all that was typed into it,
 * where Remix would put its error page in its place (docs/decisions/0008). Whoever goes on elsewhere ends the waiting. What the server
 * itself answers is passed on.
 */
export async function keepPageOnNetworkError<T = unknown>({
  serverLoader,
  request,
}: ClientLoaderFunctionArgs): Promise<T> {
  let isWaiting = false;
  try {
    for (;;) {
      try {
        return (await serverLoader<T>()) as T;
      } catch (error) {
        // A fetch that reached nobody is a TypeError in every browser; anything else is an answer.
        if (!(error instanceof TypeError) || request.signal.aborted) throw error;
      }
      if (!isWaiting) announce((isWaiting = true));
      await untilOnline(request.signal);
    }
  } finally {
    if (isWaiting) announce(false);
  }
}

const announce = (isWaiting: boolean) => window.dispatchEvent(new CustomEvent(WAITING_EVENT, { detail: isWaiting }));

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, AGAIN_MS);
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

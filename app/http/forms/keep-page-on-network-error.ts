import type { ClientLoaderFunctionArgs } from "@remix-run/react";

/** The event that tells the shell whether a requested page waits for the connection. */
export const WAITING_EVENT = "portal:waiting";

/** Milliseconds between two attempts while the browser reports no connection. */
const AGAIN_MS = 3_000;

/**
 * A route's `clientLoader`: waits while a page cannot be reached, and keeps the open page with all that was typed into it,
 * where Remix would put its error page in its place (docs/decisions/0008). Another navigation ends the waiting. What the server
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
        // A failed connection is a TypeError in every browser; anything else is an answer.
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

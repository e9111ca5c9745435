import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { areForAnother, askWhoIsSignedIn, isLocked, whenUnlocked } from "./document-person";

/** The event that tells the shell whether a requested page waits for the connection. */
export const WAITING_EVENT = "portal:waiting";

/** Milliseconds between two attempts while the browser reports no connection. */
const AGAIN_MS = 3_000;

/**
 * A route's `clientLoader`: waits while a page cannot be reached, and keeps the open page with all that was typed into it,
 * where Remix would put its error page in its place (docs/decisions/0008). Another navigation ends the waiting. What the server
 * itself answers is passed on, unless it answers somebody else who has signed in since: then the page is kept until its person is back.
 */
export async function keepPageOnNetworkError<T = unknown>({
  serverLoader,
  request,
}: ClientLoaderFunctionArgs): Promise<T> {
  let isWaiting = false;
  try {
    for (;;) {
      try {
        const data = (await serverLoader<T>()) as T;
        // What was typed on the page is another's than whom this was read for: it stays until they are back.
        if (!(await areForAnother(data))) return data;
        await whenUnlocked(request.signal);
        if (request.signal.aborted) return data;
        continue;
      } catch (error) {
        if (isRefusal(error) && (await isAnothers()) && !request.signal.aborted) {
          await whenUnlocked(request.signal);
          continue;
        }
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

const isRefusal = (error: unknown) => error instanceof Response && error.status >= 400;

/** Somebody else may lack the right to what the page shows. */
async function isAnothers(): Promise<boolean> {
  await askWhoIsSignedIn();
  return isLocked();
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

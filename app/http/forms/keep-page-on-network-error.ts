import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { areForAnother, askWhoIsSignedIn, isLocked, seemsReachable, whenUnlocked } from "./document-person";

export const WAITING_EVENT = "portal:waiting";

const AGAIN_MS = 3_000;

/**
 * `clientLoader`: waits while a page cannot be reached and keeps the open page, where Remix would show its error
 * (docs/decisions/0008). Another navigation ends the waiting. Server answers pass, except for another person, when the
 * page is kept until its owner is back.
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
        // The page holds the owner's text, so it stays until they are back.
        if (!(await areForAnother(data))) return data;
        await whenUnlocked(request.signal);
        if (request.signal.aborted) return data;
        continue;
      } catch (error) {
        if (isRefusal(error) && (await isAnothers()) && !request.signal.aborted) {
          await whenUnlocked(request.signal);
          continue;
        }
        // Connection failures are TypeErrors in every browser.
        if (!(error instanceof TypeError) || request.signal.aborted) throw error;
      }
      if (!isWaiting) announce((isWaiting = true));
      await untilOnline(request.signal);
    }
  } finally {
    if (isWaiting) announce(false);
  }
}

/**
 * Waits until the portal answers, and keeps the open page meanwhile: without a connection the script of a page that was
 * not open before cannot be loaded, and Remix would replace the open page by the browser's error.
 */
export async function untilReachable(signal: AbortSignal): Promise<void> {
  if (seemsReachable()) return;
  announce(true);
  while (!signal.aborted && (await askWhoIsSignedIn()) === null) await untilOnline(signal);
  announce(false);
}

const isRefusal = (error: unknown) => error instanceof Response && error.status >= 400;

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

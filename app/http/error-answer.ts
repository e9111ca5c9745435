import { isRouteErrorResponse } from "@remix-run/react";
import { NO_ANSWER } from "~/ui/error-page";

/** What a page for an error has to say: the refusal's own status and text, a fault of ours, or that nobody answered. */
export function errorAnswer(error: unknown): { status: number; text?: string } {
  if (isRouteErrorResponse(error)) return { status: error.status, text: (error.data as { text?: string } | null)?.text };
  // The words of Chrome, Firefox and Safari for a request that reached nobody; there is nothing else to know it by.
  return { status: error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message) ? NO_ANSWER : 500 };
}

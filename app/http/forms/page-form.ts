import { useMatches } from "@remix-run/react";

/**
 * What a route's `handle` may say: the id of the form on its page that somebody writes in. The shell's own buttons, which load the page
 * anew, send it along, so that what was typed comes back (docs/decisions/0049).
 */
export interface PageFormHandle<Data = unknown> {
  pageForm(data: Data, query: URLSearchParams): string | null;
}

const saysPageForm = (handle: unknown): handle is PageFormHandle =>
  typeof handle === "object" && handle !== null && "pageForm" in handle;

/** The open page's form; null where there is none. */
export function usePageForm(search: string): string | null {
  const match = useMatches().find(({ handle }) => saysPageForm(handle));
  return match?.data ? (match.handle as PageFormHandle).pageForm(match.data, new URLSearchParams(search)) : null;
}

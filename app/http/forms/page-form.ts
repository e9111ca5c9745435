import { useMatches } from "@remix-run/react";

/**
 * `handle` of a route: id of the page's main form, which shell buttons that reload the page send along
 * (docs/decisions/0049).
 */
export interface PageFormHandle<Data = unknown> {
  pageForm(data: Data, query: URLSearchParams): string | null;
}

const saysPageForm = (handle: unknown): handle is PageFormHandle =>
  typeof handle === "object" && handle !== null && "pageForm" in handle;

export function usePageForm(search: string): string | null {
  const match = useMatches().find(({ handle }) => saysPageForm(handle));
  return match?.data ? (match.handle as PageFormHandle).pageForm(match.data, new URLSearchParams(search)) : null;
}

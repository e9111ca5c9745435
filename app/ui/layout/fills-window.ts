import { useMatches, useRouteError } from "@remix-run/react";

/** `export const handle = fillsWindow`: the page uses the whole window, without the frame. */
export const fillsWindow = { fillsWindow: true } as const;

/** Whether the present page does. Its error page does not; in a route inside, the error leaves the page without data. */
export function useFillsWindow(): boolean {
  const isError = Boolean(useRouteError());
  const matches = useMatches();
  return (
    !isError &&
    matches.some(
      ({ handle, data }) =>
        (handle as Partial<typeof fillsWindow> | undefined)?.fillsWindow === true && data !== undefined,
    )
  );
}

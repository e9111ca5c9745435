import { useMatches, useRouteError } from "@remix-run/react";

/** A page that is the whole window: `export const handle = fillsWindow`. What stands around other pages leaves it alone. */
export const fillsWindow = { fillsWindow: true } as const;

/** Whether the page that is shown is one; what is said in its place of an error is a page like others. */
export function useFillsWindow(): boolean {
  const isError = Boolean(useRouteError());
  const matches = useMatches();
  return (
    !isError && matches.some(({ handle }) => (handle as Partial<typeof fillsWindow> | undefined)?.fillsWindow === true)
  );
}

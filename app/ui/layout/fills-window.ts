import { useMatches } from "@remix-run/react";

/** A page that is the whole window: `export const handle = fillsWindow`. What stands around other pages leaves it alone. */
export const fillsWindow = { fillsWindow: true } as const;

/** Whether the page that is shown is one. */
export function useFillsWindow(): boolean {
  return useMatches().some(({ handle }) => (handle as Partial<typeof fillsWindow> | undefined)?.fillsWindow === true);
}

import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * False on the server and in the first render in the browser, true after. What only works with JavaScript
 * (a cross that closes, 'vælg alle') is rendered when this is true, so nobody sees a dead control. It comes where room was kept for it, and
 * what goes for it bears `scripts:hidden` from the start: nothing else on the page may move (ui/layout/early-scripts.tsx).
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

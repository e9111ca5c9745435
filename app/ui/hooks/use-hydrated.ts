import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * False on the server and in the first render in the browser, true after. What only works with JavaScript
 * (a cross that closes, 'vælg alle') is rendered when this is true, so nobody sees a dead control.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * False on the server and in the first render, then true. Controls that need JavaScript are rendered when true, in
 * reserved space; what they replace has `scripts:hidden` from the start, so that nothing moves
 * (ui/layout/early-scripts.tsx).
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

import { type RefObject, useEffect, useReducer, useRef, useSyncExternalStore } from "react";

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

/**
 * Whether the script has taken over a form, and its values then: on a slow connection a person has typed before, and a
 * part must not be removed with its text. `take` is called once in that render; parts rendered by script start taken
 * over. @param inside any element of the form
 */
export function useHydrationHandover(inside: RefObject<HTMLElement>, take: (standing: FormData) => void): boolean {
  const [isOver, takeOver] = useReducer(() => true, useHydrated());
  const first = useRef({ isOver, take });
  useEffect(() => {
    const form = inside.current?.closest("form");
    if (!first.current.isOver && form) first.current.take(new FormData(form));
    takeOver();
  }, [inside]);
  return isOver;
}

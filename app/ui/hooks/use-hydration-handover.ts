import { type RefObject, useEffect, useReducer, useRef } from "react";
import { useHydrated } from "./use-hydrated";

/**
 * Whether the script has taken over a form, and what stood in it then: on a slow connection a person has typed and chosen long before, and a
 * part that the script shows by a choice must not be removed with what is in it. `take` is called once, in the same render; a part that
 * the script itself makes is taken over from the start.
 *
 * @param inside any element of the form
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

import { useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated";

/**
 * With JavaScript a page changes without being loaded, and what had focus is gone: a heading takes it, so that a screen reader says where one
 * is and Tab goes on from there. `place` names what is arrived at; a page that was loaded says so by itself.
 */
export function useFocusOnStepChange<T extends HTMLElement>(place: string | number) {
  const heading = useRef<T>(null);
  const left = useRef(useHydrated() ? null : place);
  useEffect(() => {
    if (left.current !== place) heading.current?.focus({ preventScroll: true });
    left.current = place;
  }, [place]);
  return heading;
}

import { useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated";

/**
 * With JavaScript a page changes without being loaded, and what had focus is gone: a heading takes it, so that a screen reader says where one
 * is and Tab goes on from there. `place` names what is arrived at; a page that was loaded says so by itself. `first` is the id of a field that
 * takes the focus instead, where one always begins by typing in it; it has `autoFocus` for a page that was loaded.
 */
export function useFocusOnStepChange<T extends HTMLElement>(place: string | number, first?: string) {
  const heading = useRef<T>(null);
  const left = useRef(useHydrated() ? null : place);
  useEffect(() => {
    if (left.current !== place)
      ((first && document.getElementById(first)) || heading.current)?.focus({ preventScroll: true });
    left.current = place;
  }, [place, first]);
  return heading;
}

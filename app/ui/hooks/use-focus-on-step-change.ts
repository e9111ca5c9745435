import { useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated";

/**
 * After client-side navigation a heading takes the focus, so that screen readers and Tab continue there. `place`
 * identifies the destination. `first` is a field to focus instead, with `autoFocus` for a loaded page.
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

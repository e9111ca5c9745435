import { type RefObject, useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated";

/**
 * With JavaScript a form that replaces its link takes the focus and returns it to the link when closed. Focus elsewhere
 * stays.
 */
export function useFocusFirstField(form: RefObject<HTMLElement>, linkBack: string): void {
  useEffect(() => {
    focusFrom(form.current?.querySelector<HTMLElement>("input:not([type=hidden], [type=submit]), select, textarea"));
    return () => void requestAnimationFrame(() => focusFrom(document.querySelector<HTMLElement>(linkBack)));
  }, [form, linkBack]);
}

function focusFrom(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

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

import { type RefObject, useEffect } from "react";

/**
 * With JavaScript a form that replaces its link takes the focus and returns it to the link when closed. Focus elsewhere
 * stays.
 */
export function useFocusFirstField(form: RefObject<HTMLElement>, linkBack: string): void {
  useEffect(() => {
    focusFrom(form.current?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea"));
    return () => void requestAnimationFrame(() => focusFrom(document.querySelector<HTMLElement>(linkBack)));
  }, [form, linkBack]);
}

function focusFrom(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

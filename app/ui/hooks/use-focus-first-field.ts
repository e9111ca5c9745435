import { type RefObject, useEffect } from "react";

/**
 * With JavaScript a form that opens in the place of its link takes the focus that went with the link, and gives it back to the link when it
 * closes. Focus that is somewhere else stays there.
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

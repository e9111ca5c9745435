import { useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";

/** Selectors per key; the first on the page is used. */
const pressed: Readonly<Record<string, string>> = {
  j: '.ref-head [rel="next"], .referrals .c-open a',
  k: '.ref-head [rel="prev"]',
  "1": '.ref-suggested [data-step="1"]',
  "2": '.ref-suggested [data-step="2"]',
  "3": '.ref-suggested [data-step="3"]',
  "4": '.ref-suggested [data-step="4"]',
};
const focused: Readonly<Record<string, string>> = {
  s: '.ref-head select, table select[name="status"]',
  b: "#billeder li a, #billeder p a",
  m: 'form[aria-label="Ny besked"] textarea',
};

/**
 * Keyboard shortcuts of overview and open referral. Ignored in fields, dialogs, with modifiers, and on repeat. `?`
 * lists them. Each presses a visible link or button.
 */
export function useShortcuts(showList: () => void): void {
  const isOn = useRouteLoaderData<{ hasShortcuts: boolean }>("routes/management")?.hasShortcuts ?? false;
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof Element && target.closest("input, select, textarea, [role=dialog]")) return;
      const name = key.toLowerCase();
      const find = (selectors: string | undefined) =>
        selectors === undefined ? null : document.querySelector<HTMLElement>(selectors);
      const [button, place] = [find(pressed[name]), find(focused[name])];
      if (key !== "?" && !button && !place) return;
      event.preventDefault();
      if (key === "?") showList();
      // Focus as a press would, so that what opens can take it over.
      button?.focus({ preventScroll: true });
      button?.click();
      place?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn, showList]);
}

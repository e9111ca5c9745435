import { useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";

/** What each key presses or goes to: the first of these that is on the page. */
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
 * The keys of the overview and the open referral. None in a field or a dialog, with a control key, or held down: what a key changes is
 * changed once. `?` asks for their list. Each does what a link or a button on the page does, so that nothing is by key alone.
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
      // As a press does: what opens in its place then takes the focus over.
      button?.focus({ preventScroll: true });
      button?.click();
      place?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn, showList]);
}

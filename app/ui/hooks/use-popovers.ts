import { useEffect } from "react";

const openPopovers = () => document.querySelectorAll<HTMLDetailsElement>("details.pop[open]");

/** Closes unfolded parts by Escape, returning focus to the button, and by a press elsewhere. */
export function usePopovers() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      for (const pop of openPopovers()) {
        if (pop.contains(document.activeElement)) pop.querySelector("summary")?.focus();
        pop.open = false;
      }
    };
    const onPress = ({ target }: MouseEvent) => {
      for (const pop of openPopovers()) if (!pop.contains(target as Node)) pop.open = false;
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("mousedown", onPress);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("mousedown", onPress);
    };
  }, []);
}

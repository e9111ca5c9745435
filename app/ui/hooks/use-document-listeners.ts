import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";

/**
 * Client-side navigation for all plain links by one listener, since a `<Link>` per cell would subscribe to the router.
 * Links with a target, download or `data-file`, and hash links, are left to the browser. `data-keep-scroll` keeps the
 * scroll position.
 */
export function useDelegatedLinks(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      // React's own links are handled already.
      if (
        !link ||
        !isPlain ||
        event.defaultPrevented ||
        link.target ||
        link.hasAttribute("download") ||
        link.dataset.file !== undefined ||
        link.origin !== location.origin
      )
        return;
      if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
      event.preventDefault();
      navigate(`${link.pathname}${link.search}${link.hash}`, {
        preventScrollReset: link.dataset.keepScroll !== undefined,
      });
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}

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

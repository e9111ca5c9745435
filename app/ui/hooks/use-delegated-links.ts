import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";

/**
 * Follows every plain link to another page of ours without loading the document anew, by one listener: a `<Link>` each would subscribe to
 * the router for every cell of a list. A link with a target, a download or `data-file` is the browser's, and so is a jump within the page.
 * `data-keep-scroll` leaves the page where it is scrolled to.
 */
export function useDelegatedLinks(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      // React's own links have answered already.
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

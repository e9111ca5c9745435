import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";

/** The kit's parts that are mostly links: tabs, queues, notices, heads that sort, pagers. */
const LINKS = ".shell a, .tabs a, .queue a, .notices a, th a, .pager a";

/**
 * Follows the plain links of the kit without loading the page anew, by one listener. A `<Link>` for each of the forty on a list costs the
 * server a tenth of its page (docs/decisions/0038).
 */
export function usePlainLinks(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(LINKS) : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      // React's own links, and the list's rows, have answered already.
      if (!link || !isPlain || event.defaultPrevented || link.target || link.origin !== location.origin) return;
      event.preventDefault();
      navigate(`${link.pathname}${link.search}${link.hash}`);
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}

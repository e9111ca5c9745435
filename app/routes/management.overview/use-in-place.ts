import { useNavigate, useSubmit } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { paths } from "~/paths";

/**
 * Lets the links and forms inside an element work without loading the page anew. One listener serves the whole list: a Remix Link and
 * Form in each of 20 rows would be half of what the server has to render.
 */
export function useInPlace() {
  const ref = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const submit = useSubmit();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      const staysHere = link?.pathname === paths.overview || /^\/management\/overview\/\d+$/.test(link?.pathname ?? "");
      // React's own links have answered already.
      if (!link || !isPlain || !staysHere || link.target || event.defaultPrevented) return;
      event.preventDefault();
      navigate(`${link.pathname}${link.search}${link.hash}`, { preventScrollReset: true });
    };
    const onSubmit = (event: SubmitEvent) => {
      if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
      event.preventDefault();
      submit((event.submitter as HTMLButtonElement | null) ?? event.target, { preventScrollReset: true });
    };
    element.addEventListener("click", onClick);
    element.addEventListener("submit", onSubmit);
    return () => {
      element.removeEventListener("click", onClick);
      element.removeEventListener("submit", onSubmit);
    };
  }, [navigate, submit]);
  return ref;
}

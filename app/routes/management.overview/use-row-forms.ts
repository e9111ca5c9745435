import { useNavigate, useNavigation, useSubmit } from "@remix-run/react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { paths } from "~/paths";
import { buttonClass, buttonMark } from "./row-markup";

/**
 * Lets the links and forms inside the list work without loading the page anew, and keeps its buttons and focus as they should be. One set
 * of listeners serves the whole list: its rows are markup (docs/decisions/0015).
 */
export function useRowForms() {
  const ref = useRef<HTMLDivElement>(null);
  /** What the answer to a row's form may have replaced under the focus. */
  const left = useRef<string | null>(null);
  const navigate = useNavigate();
  const submit = useSubmit();
  const { state } = useNavigation();

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
      left.current = link.rel ? `.open-head a[rel="${link.rel}"]` : `${rowSelector(link)} .c-open a`;
      // From one referral to the next the page goes along; a row that opens stays where it is.
      navigate(`${link.pathname}${link.search}${link.hash}`, { preventScrollReset: !link.rel });
    };
    const onSubmit = (event: SubmitEvent) => {
      const form = event.target;
      if (event.submitter instanceof HTMLButtonElement && event.submitter.value === "retryRadiographExport") return setTimeout(planned, 0, event.submitter);
      if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.className !== ROW_FORM) return;
      event.preventDefault();
      const button = event.submitter as HTMLButtonElement;
      left.current = `${rowSelector(form)} .set-status button`;
      setButton(button, "working");
      submit(button, { preventScrollReset: true });
    };
    const onChange = (event: Event) => {
      const select = event.target;
      if (!(select instanceof HTMLSelectElement) || select.form?.className !== ROW_FORM) return;
      const button = select.form.querySelector("button");
      const isSaved = [...select.options].some((option) => option.selected && option.defaultSelected);
      if (button) setButton(button, isSaved ? "quiet" : "filled");
    };
    const onKey = (event: KeyboardEvent) => {
      // A tooltip goes away and stays away until one comes back to it.
      if (event.key === "Escape" && document.activeElement instanceof HTMLElement && document.activeElement.closest(".tip")) document.activeElement.blur();
    };
    element.addEventListener("click", onClick);
    element.addEventListener("submit", onSubmit);
    element.addEventListener("change", onChange);
    element.addEventListener("keydown", onKey);
    return () => {
      element.removeEventListener("click", onClick);
      element.removeEventListener("submit", onSubmit);
      element.removeEventListener("change", onChange);
      element.removeEventListener("keydown", onKey);
    };
  }, [navigate, submit]);

  useLayoutEffect(() => {
    if (state !== "idle") return;
    // A form that reached nobody leaves the row as it was, and its button working.
    for (const button of ref.current?.querySelectorAll("[aria-busy]") ?? []) setButton(button, "failed");
    if (left.current && document.activeElement === document.body) ref.current?.querySelector<HTMLElement>(left.current)?.focus({ preventScroll: true });
    left.current = null;
    // New rows come unticked.
    document.dispatchEvent(new Event("change"));
  }, [state]);
  return ref;
}

/** As in row-markup.ts. */
const ROW_FORM = "set-status";

/** The answer is a file, so the row says itself that a new attempt is planned (specification 1 §4); pressed again it only downloads. */
function planned(button: HTMLButtonElement): void {
  button.classList.remove("tone-err");
  button.title = "Eksport planlagt. Hent alle røntgenbilleder";
}

/** The row of an open referral has no id: what is replaced in it finds its own focus. */
const rowSelector = (element: Element) => `#${element.closest("tr")?.id || "none"}`;

const word = "<span>GEM</span>";
const looks = {
  quiet: ["btn-plain", word],
  filled: ["btn-primary", word],
  working: ["btn-primary btn-marked", `<span class="spin" aria-hidden="true"></span>${word}`],
  failed: [buttonClass.refused, buttonMark.refused.html],
} as const;

/** The words stay in all states; what the last answer left beside them goes at the next edit. */
function setButton(button: Element, state: keyof typeof looks): void {
  const [look, content] = looks[state];
  button.className = `btn btn-s ${look}`;
  button.innerHTML = content;
  if (state === "working") button.setAttribute("aria-busy", "true");
  else button.removeAttribute("aria-busy");
}

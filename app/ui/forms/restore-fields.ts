type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Identifies recreated elements by id, or by name, form and order. */
function keysOf(elements: readonly Element[]): Map<string, Element> {
  const counts = new Map<string, number>();
  const keys = new Map<string, Element>();
  for (const element of elements) {
    const form = element.closest("form");
    const words = element instanceof HTMLDetailsElement ? element.querySelector("summary")?.textContent : null;
    // React generates new ids containing a colon.
    const base =
      (!element.id.includes(":") && element.id) ||
      [element.tagName, element.getAttribute("name"), words, form?.id || form?.getAttribute("action")].join(" ");
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    keys.set(`${base} ${count}`, element);
  }
  return keys;
}

const MOVABLE = 'input:not([type="hidden"]), textarea, select, details';
const elementsIn = (root: ParentNode) => [...root.querySelectorAll(MOVABLE)];

/**
 * Remembers the page's fields before React hydrates it. When an extension or translator has altered the page, React
 * recreates it, and `restore` fills the new fields: text, ticks, choices, files, folds and focus.
 */
export function rememberFields(): { restore(): void } {
  const former = keysOf(elementsIn(document));
  let focused: Element | null = document.activeElement;
  const known = new Set(former.values());
  document.addEventListener("focusin", ({ target }) => {
    if (known.has(target as Element)) focused = target as Element;
  });
  return {
    restore() {
      const present = keysOf(elementsIn(document));
      let toFocus: Element | null = null;
      for (const [key, before] of former) {
        const now = present.get(key);
        if (now === undefined || now === before) continue;
        if (before instanceof HTMLDetailsElement) (now as HTMLDetailsElement).open = before.open;
        else restoreField(before as Field, now as Field);
        if (before === focused) toFocus = now;
      }
      const field = toFocus as HTMLElement | null;
      // Wait, because a recreated page moves the focus in an effect.
      if (field !== null) setTimeout(() => field.focus());
    },
  };
}

function restoreField(before: Field, now: Field): void {
  if (before instanceof HTMLInputElement && now instanceof HTMLInputElement) {
    if (before.type === "file") {
      if (!before.files?.length) return;
      now.files = before.files;
      tell(now, "change");
      return;
    }
    if (before.type === "checkbox" || before.type === "radio") {
      // React listens to clicks, which also change the box.
      if (before.checked !== now.checked && (before.type === "checkbox" || before.checked)) now.click();
      return;
    }
  }
  if (before.value === now.value) return;
  // React notices a value only when set through the native setter.
  const prototype = Object.getPrototypeOf(now) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")!.set!.call(now, before.value);
  tell(now, "input");
  if (now instanceof HTMLSelectElement) tell(now, "change");
}

const tell = (field: Field, what: "input" | "change") => void field.dispatchEvent(new Event(what, { bubbles: true }));

/**
 * `SubmitEvent.submitter` for Chrome 80 and Safari before 15.4: the button that was clicked. Enter in a field is a click on the form's
 * first button, in every browser. Without it a form that a script sends has no `intent` (docs/decisions/0054). Called before anything
 * else listens.
 */
export function rememberSubmitter(): void {
  let clicked: HTMLButtonElement | HTMLInputElement | null = null;
  const onClick = ({ target }: Event) => {
    clicked = target instanceof Element ? target.closest<HTMLButtonElement>("button, input[type=submit]") : null;
  };
  const onSubmit = (event: Event) => {
    if ((event as Partial<SubmitEvent>).submitter === undefined) {
      const isOfForm = clicked !== null && clicked.form === event.target && clicked.type === "submit";
      Object.defineProperty(event, "submitter", { value: isOfForm ? clicked : null });
    }
    clicked = null;
  };
  window.addEventListener("click", onClick, true);
  window.addEventListener("submit", onSubmit, true);
}

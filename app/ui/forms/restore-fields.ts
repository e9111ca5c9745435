type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Of an element that is made anew: the same id, or else the same name and form, in the same order. */
function keysOf(elements: readonly Element[]): Map<string, Element> {
  const counts = new Map<string, number>();
  const keys = new Map<string, Element>();
  for (const element of elements) {
    const form = element.closest("form");
    const words = element instanceof HTMLDetailsElement ? element.querySelector("summary")?.textContent : null;
    // React makes other ids with a colon in them where it makes the page anew.
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
 * Remembers the page's fields before React takes it over. When an extension or a translator has put something into the page, React makes the page
 * anew; `restore` then gives the new fields what the old ones hold by then: texts, ticks, choices, chosen files, open folds, and the focus.
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
      // A page that is made anew moves the focus itself in an effect.
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
      // A click is what React listens to; it changes the box as well.
      if (before.checked !== now.checked && (before.type === "checkbox" || before.checked)) now.click();
      return;
    }
  }
  if (before.value === now.value) return;
  // React notices a value only when it is set past its own setter.
  const prototype = Object.getPrototypeOf(now) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")!.set!.call(now, before.value);
  tell(now, "input");
  if (now instanceof HTMLSelectElement) tell(now, "change");
}

const tell = (field: Field, what: "input" | "change") => void field.dispatchEvent(new Event(what, { bubbles: true }));

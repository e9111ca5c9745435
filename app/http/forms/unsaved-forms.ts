/**
 * Tracks unsaved text on the page, so that leaving asks first (docs/decisions/0050). Forms are identified by `formId`
 * or intent. Browser only.
 */

/** `query`: kept when only the query changes; `question`: a search, never asked about. */
export type Guarded = "query" | "path" | "question";

const guarded = new Map<string, Guarded>();
const unsaved = new Set<HTMLFormElement>();
const contentBefore = new WeakMap<HTMLFormElement, string>();
const autosavedForms = new WeakMap<HTMLFormElement, () => boolean>();
const holdsOpen = new Set<() => boolean>();
let sent: HTMLFormElement | null = null;

function idOf(form: HTMLFormElement): string {
  const fields = new FormData(form);
  return String(fields.get("formId") || fields.get("intent") || fields.get("defaultIntent"));
}

/** Registers how a form is guarded; returns the unregister function. */
export function guard(formId: string, how: Guarded): () => void {
  guarded.set(formId, how);
  return () => void guarded.delete(formId);
}

/**
 * An autosaved form: while `isSaved` is true, leaving only asks about chosen files. Returns the unregister function.
 */
export function registerAutosaved(form: HTMLFormElement, isSaved: () => boolean): () => void {
  autosavedForms.set(form, isSaved);
  return () => void autosavedForms.delete(form);
}

/** Registers work bound to the page, such as an upload; returns the unregister function. */
export function holdOpen(isGoingOn: () => boolean): () => void {
  holdsOpen.add(isGoingOn);
  return () => void holdsOpen.delete(isGoingOn);
}

/** Called before a field changes. Text that is typed and deleted again is not unsaved. */
export function willType(form: HTMLFormElement): void {
  if (!unsaved.has(form)) contentBefore.set(form, contentOf(form));
}

const contentOf = (form: HTMLFormElement) =>
  JSON.stringify([...new FormData(form)].map(([name, value]) => [name, (value as Partial<File>).name || value]));

export function wasTyped(form: HTMLFormElement): void {
  unsaved.add(form);
}

/** Whether somebody has typed, chosen or attached something in a form, is about to, or has just sent it. */
export function isBegun(form: HTMLFormElement): boolean {
  if (unsaved.has(form) || form === sent) return true;
  const isFocused = document.activeElement?.matches("input, select, textarea") && form.contains(document.activeElement);
  return Boolean(isFocused) || hasFiles(form);
}

export function wasSent(form: HTMLFormElement): void {
  sent = form;
}

export function sentWasSaved(): void {
  if (sent) {
    unsaved.delete(sent);
    contentBefore.delete(sent);
  }
  sent = null;
}

/** Refused or not delivered: values are still unsaved. */
export function sentStays(): void {
  sent = null;
}

export function discardUnsaved(form?: HTMLFormElement | null): void {
  if (form) unsaved.delete(form);
  else unsaved.clear();
}

export function discardAll(): void {
  unsaved.clear();
  holdsOpen.clear();
}

/** Whether navigating loses unsaved values; a form being sent is not lost. `to` null: closing or reloading. */
export function wouldLose(
  to: { pathname: string; search: string } | null,
  from: { pathname: string; search: string },
): boolean {
  if (to === null && [...holdsOpen].some((isGoingOn) => isGoingOn())) return true;
  return [...unsaved].some((form) => {
    const how = guarded.get(idOf(form)) ?? "question";
    if (!form.isConnected || form === sent || how === "question") return false;
    if (contentOf(form) === contentBefore.get(form)) return false;
    if (to !== null && to.pathname === from.pathname && (how === "path" || query(to.search) === query(from.search)))
      return false;
    return autosavedForms.get(form)?.() ? hasFiles(form) : true;
  });
}

const query = (search: string) => [...new URLSearchParams(search)].filter(([name]) => name !== "index").join("&");
const hasFiles = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLInputElement>("input[type=file]")].some(({ value }) => value !== "");

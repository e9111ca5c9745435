/**
 * Tracks what is typed on the open page and not saved, so that leaving the page asks first (docs/decisions/0050). A form
 * is identified by its id (`formId`, or its intent). Browser only.
 */

/** Whether a form stays when only the address' query changes; `question`: a search or a choice of what to fetch, never asked about. */
export type Guarded = "query" | "path" | "question";

const guarded = new Map<string, Guarded>();
const unsaved = new Set<HTMLFormElement>();
/** Autosaved forms, with whether the last autosave succeeded. */
const autosavedForms = new WeakMap<HTMLFormElement, () => boolean>();
const holdsOpen = new Set<() => boolean>();
let sent: HTMLFormElement | null = null;

function idOf(form: HTMLFormElement): string {
  const fields = new FormData(form);
  return String(fields.get("formId") ?? fields.get("intent") ?? fields.get("defaultIntent") ?? "");
}

/** Registers how a form of the page is guarded. Returns the function that unregisters it. */
export function guard(formId: string, how: Guarded): () => void {
  guarded.set(formId, how);
  return () => void guarded.delete(formId);
}

/** A form that is autosaved: while `isSaved` returns true, leaving asks only about its chosen files. Returns the function that unregisters it. */
export function registerAutosaved(form: HTMLFormElement, isSaved: () => boolean): () => void {
  autosavedForms.set(form, isSaved);
  return () => void autosavedForms.delete(form);
}

/** Registers work that lasts only while the page is open, such as an upload. Returns the function that unregisters it. */
export function holdOpen(isGoingOn: () => boolean): () => void {
  holdsOpen.add(isGoingOn);
  return () => void holdsOpen.delete(isGoingOn);
}

export function wasTyped(form: HTMLFormElement): void {
  unsaved.add(form);
}

export function wasSent(form: HTMLFormElement): void {
  sent = form;
}

/** Marks the form submitted last as saved, or left by a redirect. */
export function sentWasSaved(): void {
  if (sent) unsaved.delete(sent);
  sent = null;
}

/** It was refused or did not arrive: its values are still unsaved. */
export function sentStays(): void {
  sent = null;
}

/** Discards what is typed, on purpose. */
export function discardUnsaved(form?: HTMLFormElement | null): void {
  if (form) unsaved.delete(form);
  else unsaved.clear();
}

/** Lets go of everything: the page is loaded anew for somebody else. */
export function discardAll(): void {
  unsaved.clear();
  holdsOpen.clear();
}

/** Whether a navigation would lose unsaved values. A form being submitted is not lost. `to` null: the page itself is closed or loaded anew. */
export function wouldLose(
  to: { pathname: string; search: string } | null,
  from: { pathname: string; search: string },
): boolean {
  if (to === null && [...holdsOpen].some((isGoingOn) => isGoingOn())) return true;
  return [...unsaved].some((form) => {
    const how = guarded.get(idOf(form)) ?? "question";
    if (!form.isConnected || form === sent || how === "question") return false;
    if (to !== null && to.pathname === from.pathname && (how === "path" || query(to.search) === query(from.search)))
      return false;
    return autosavedForms.get(form)?.() ? hasFiles(form) : true;
  });
}

const query = (search: string) => [...new URLSearchParams(search)].filter(([name]) => name !== "index").join("&");
const hasFiles = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLInputElement>("input[type=file]")].some(({ files }) => (files?.length ?? 0) > 0);

/**
 * What is typed on the open page and not saved yet, so that no way of leaving it takes the text along unasked (docs/decisions/0050). A form
 * is known by its id (`formId`, or the intent that it says). Lives in the browser alone.
 */

/** Whether a form stays when only the address' query changes; `question`: a search or a choice of what to fetch, never asked about. */
export type Guarded = "query" | "path" | "question";

const guarded = new Map<string, Guarded>();
const unsaved = new Set<HTMLFormElement>();
/** Forms that keep what is typed in them by themselves, while that goes well. */
const autosavedForms = new WeakMap<HTMLFormElement, () => boolean>();
const holdsOpen = new Set<() => boolean>();
let sent: HTMLFormElement | null = null;

function idOf(form: HTMLFormElement): string {
  const fields = new FormData(form);
  return String(fields.get("formId") ?? fields.get("intent") ?? fields.get("defaultIntent") ?? "");
}

/** Says how a form of the page is guarded. Answers how to take it back. */
export function guard(formId: string, how: Guarded): () => void {
  guarded.set(formId, how);
  return () => void guarded.delete(formId);
}

/** A form that is autosaved: while `isSaved` says so, only its chosen files are asked about. Answers how to take it back. */
export function registerAutosaved(form: HTMLFormElement, isSaved: () => boolean): () => void {
  autosavedForms.set(form, isSaved);
  return () => void autosavedForms.delete(form);
}

/** Something that goes on only while the page is open, such as an upload. Answers how to take it back. */
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

/** What the form that was sent last held is saved, or the server has led elsewhere. */
export function sentWasSaved(): void {
  if (sent) unsaved.delete(sent);
  sent = null;
}

/** It was refused, or did not arrive: what it holds is unsaved still. */
export function sentStays(): void {
  sent = null;
}

/** What is typed is thrown away on purpose. */
export function discardUnsaved(form?: HTMLFormElement | null): void {
  if (form) unsaved.delete(form);
  else unsaved.clear();
}

/** Whether going there would lose something. The form that is on its way is not lost. `to` null: the page itself is closed or loaded anew. */
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

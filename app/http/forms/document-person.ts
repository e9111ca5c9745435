import { useSyncExternalStore } from "react";
import { paths } from "~/paths";

/**
 * Tracks whom the open document was loaded for, and whether somebody else is signed in at this browser by now: then the document is locked until its
 * person is back (docs/decisions/0115). Browser only.
 */

export interface SignedIn {
  id: number;
  fullName: string;
  /** Of people who were merged into this one. */
  formerIds?: number[];
}

interface OtherPerson {
  /** Names of the document's person and of the one who is signed in. */
  opener: string;
  present: string;
}

let opener: SignedIn | null = null;
let other: OtherPerson | null = null;
const listeners = new Set<() => void>();

/** Says whom the document was loaded for, or who its data say is signed in later. */
export function tellPerson(person: SignedIn): void {
  opener ??= person;
  const isOther = person.id !== opener.id && person.formerIds?.includes(opener.id) !== true;
  if (isOther ? other?.present === person.fullName : other === null) return;
  other = isOther ? { opener: opener.fullName, present: person.fullName } : null;
  for (const listener of listeners) listener();
}

/** Whether somebody else than the document's person is signed in: nothing that was begun for the document's person goes on. */
export const isLocked = () => other !== null;

/** Returns the function that ends the subscription. */
export function onLockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Who else is signed in, while the document is locked. */
export const useOtherPerson = (): OtherPerson | null =>
  useSyncExternalStore(
    onLockChange,
    () => other,
    () => null,
  );

/** Asks who is signed in by now. Null where the question is not answered. */
export async function askWhoIsSignedIn(visitId?: string): Promise<{ status: number; account: unknown } | null> {
  const address = visitId ? `${paths.account}?visitId=${visitId}` : paths.account;
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  const account: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
  if (account !== null) tellPerson(account as SignedIn);
  return answer && { status: answer.status, account };
}

/** Whether a page's data were read for somebody else than the document's person; asks where the page says so. */
export async function areForAnother(data: unknown): Promise<boolean> {
  const person = (data as { ticket?: { person?: number } } | null)?.ticket?.person;
  if (person === undefined || opener === null) return isLocked();
  if (person === opener.id) return false;
  if (!isLocked()) await askWhoIsSignedIn();
  return isLocked();
}

/** Settles when the document's person is back, or the signal aborts. */
export function whenUnlocked(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!isLocked()) return resolve();
    const stop = onLockChange(() => !isLocked() && done());
    signal.addEventListener("abort", done);
    function done() {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

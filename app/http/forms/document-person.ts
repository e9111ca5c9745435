import { useSyncExternalStore } from "react";
import { paths } from "~/paths";

/**
 * Tracks for whom the document was loaded and whether somebody else is signed in now; the document is then locked
 * (docs/decisions/0115). Browser only.
 */

export interface SignedIn {
  id: number;
  fullName: string;
  formerIds?: number[];
}

interface OtherPerson {
  /** Name of the document's owner; `other` is signed in now. */
  opener: string;
  present: string;
}

let opener: SignedIn | null = null;
let other: OtherPerson | null = null;
const listeners = new Set<() => void>();

export function tellPerson(person: SignedIn): void {
  opener ??= person;
  const isOther = person.id !== opener.id && person.formerIds?.includes(opener.id) !== true;
  if (isOther ? other?.present === person.fullName : other === null) return;
  other = isOther ? { opener: opener.fullName, present: person.fullName } : null;
  for (const listener of listeners) listener();
}

/** Whether somebody else is signed in; all work of the owner pauses. */
export const isLocked = () => other !== null;

export function onLockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useOtherPerson = (): OtherPerson | null =>
  useSyncExternalStore(
    onLockChange,
    () => other,
    () => null,
  );

let hasAnswered = true;

/** False while the browser is offline, or if the portal did not answer when it was last asked. */
export const seemsReachable = () => navigator.onLine && hasAnswered;

export async function askWhoIsSignedIn(visitId?: string): Promise<{ status: number; account: unknown } | null> {
  const address = visitId ? `${paths.account}?visitId=${visitId}` : paths.account;
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  hasAnswered = answer !== null;
  const account: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
  if (account !== null) tellPerson(account as SignedIn);
  return answer && { status: answer.status, account };
}

/** Whether data belong to another person than the document's; asks if unclear. */
export async function areForAnother(data: unknown): Promise<boolean> {
  const person = (data as { ticket?: { person?: number } } | null)?.ticket?.person;
  if (person === undefined || opener === null) return isLocked();
  if (person === opener.id) return false;
  if (!isLocked()) await askWhoIsSignedIn();
  return isLocked();
}

/** Resolves when the owner is back or the signal aborts. */
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

/** A file's name says who may take it: none but the machine that has renamed it, until its time is up. */

/** So long after it was claimed a file's machine has surely died: reading one takes seconds. */
const CLAIM_MINUTES = 15;

const CLAIMED = /^(.+)\.(\d{10})\.claimed$/;

/** What is being written, and what was put aside. */
const NOT_OURS = /\.(part|tmp|filepart|aside)$|^\./i;

export const claimedName = (name: string, now: Date) => `${name}.${Math.floor(now.getTime() / 1000)}.claimed`;
export const asideName = (name: string) => `${name}.aside`;

/** The name that the sender gave it, where a file may be claimed now; null where it may not. */
export function claimable(found: string, now: Date): string | null {
  if (NOT_OURS.test(found)) return null;
  const claimed = CLAIMED.exec(found);
  if (claimed === null) return found;
  return now.getTime() / 1000 - Number(claimed[2]) > CLAIM_MINUTES * 60 ? claimed[1]! : null;
}

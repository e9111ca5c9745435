import { setTimeout as sleep } from "node:timers/promises";
import { networkOf } from "~/access/network.server";
import type { Caller } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { clearThrottle, throttle, throttleAddress, uncountAddress, uncountThrottle } from "~/access/throttle.server";
import type { Portal } from "~/portal.server";
import { isKnownAddress } from "~/access/known-address-store.server";

/** Milliseconds that a wrong guess costs where the person has signed in before. */
const KNOWN_ADDRESS_DELAY_MS = 3_000;

interface Attempt {
  /** The user name's search key. */
  account: string;
  /** Null for an unknown name, or one that may not be used on this site. */
  userId: number | null;
}

/**
 * Counts an attempt to sign in. An account is counted for each site and network apart, so that nobody can lock a person out from elsewhere; guesses
 * spread over many networks count together, and so do those from one line, whatever the names. A network from which the person has signed in before
 * waits instead of being refused by any of them, because a whole hospital may share one address. The first counter that refuses ends the counting:
 * what one line goes on guessing fills no counter that others are measured by. Throws `tooManyAttempts`.
 */
export async function countSignIn(portal: Portal, caller: Caller, { account, userId }: Attempt): Promise<void> {
  try {
    await throttleAddress(portal, "signInAddress", caller.address, `${caller.site}:`);
    await throttle(portal, "signInAccount", ownCounter(caller, account));
    await throttle(portal, "signInEverywhere", everywhereCounter(caller, account));
  } catch (error) {
    const isKnown =
      error instanceof Refusal &&
      userId !== null &&
      (await isKnownAddress(portal.db, userId, addressHash(portal, caller)));
    if (!isKnown) throw error;
    await sleep(KNOWN_ADDRESS_DELAY_MS);
  }
}

/**
 * Clears the account's failed attempts from here after one that worked, and takes that one back from the shared counters: a whole hospital signs
 * in from one address every morning.
 */
export async function clearFailedSignIns(portal: Portal, caller: Caller, account: string): Promise<void> {
  await clearThrottle(portal, "signInAccount", ownCounter(caller, account));
  await uncountAddress(portal, "signInAddress", caller.address, `${caller.site}:`);
  await uncountThrottle(portal, "signInEverywhere", everywhereCounter(caller, account));
}

/** The keyed hash of the caller's network. */
export const addressHash = ({ secrets }: Pick<Portal, "secrets">, { address }: Pick<Caller, "address">) =>
  secrets.lookup("audit", networkOf(address));

const everywhereCounter = ({ site }: Caller, account: string) => `${site}:${account}`;
const ownCounter = ({ site, address }: Caller, account: string) => `${site}:${networkOf(address)}:${account}`;

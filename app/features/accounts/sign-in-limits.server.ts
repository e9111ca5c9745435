import { setTimeout as sleep } from "node:timers/promises";
import {
  networkOf,
  clearThrottle,
  throttle,
  throttleAddress,
  uncountAddress,
  uncountThrottle,
} from "~/access/throttle.server";
import type { Caller } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import type { Portal } from "~/portal.server";
import { isKnownAddress } from "~/access/session-store.server";

const KNOWN_ADDRESS_DELAY_MS = 3_000;

interface Attempt {
  account: string;
  userId: number | null;
}

/**
 * Counts a sign-in attempt, per account, site and network, so that nobody can lock a person out from elsewhere; and in
 * total per account and per network. A network from which the person has signed in before waits instead of being
 * refused, because a hospital may share one address. Counting stops at the first counter that refuses, so that one
 * line's guesses do not fill the shared counters. Throws `tooManyAttempts`.
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

/** Clears the account's failures from this network after a success, and takes the attempt back from shared counters. */
export async function clearFailedSignIns(portal: Portal, caller: Caller, account: string): Promise<void> {
  await clearThrottle(portal, "signInAccount", ownCounter(caller, account));
  await uncountAddress(portal, "signInAddress", caller.address, `${caller.site}:`);
  await uncountThrottle(portal, "signInEverywhere", everywhereCounter(caller, account));
}

export const addressHash = ({ secrets }: Pick<Portal, "secrets">, { address }: Pick<Caller, "address">) =>
  secrets.lookup("audit", networkOf(address));

const everywhereCounter = ({ site }: Caller, account: string) => `${site}:${account}`;
const ownCounter = ({ site, address }: Caller, account: string) => `${site}:${networkOf(address)}:${account}`;

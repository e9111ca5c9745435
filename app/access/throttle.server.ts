import { subMinutes } from "date-fns";
import type { Db, DbOrTx } from "~db/connection.server";
import { Refusal } from "./refusal";
import { countedNetworks } from "./network.server";
import type { Secrets } from "./secrets.server";
import { countAttempt, deleteAttempts, uncountAttempt } from "./throttle-store.server";

interface Counting {
  db: Db;
  secrets: Secrets;
  clock: { now(): Date };
}

interface Limit {
  hits: number;
  windowMinutes: number;
}

/**
 * Sign-in and forgot-password, per account and per address, and the other operations that answer, or work for, somebody who is not
 * known yet.
 */
export const limits = {
  signInAccount: { hits: 10, windowMinutes: 15 },
  /** One account from all networks together. */
  signInEverywhere: { hits: 200, windowMinutes: 15 },
  /** The person's own password, when it is asked for again before a sensitive change. */
  ownPassword: { hits: 10, windowMinutes: 15 },
  /** Codes of one person, asked for after the right password. */
  secondFactor: { hits: 10, windowMinutes: 15 },
  signInAddress: { hits: 100, windowMinutes: 15 },
  /** One account from one network. */
  forgotAccount: { hits: 5, windowMinutes: 60 },
  /** Mails with a link to one account, wherever they are asked for; beyond them none is sent. */
  forgotMails: { hits: 5, windowMinutes: 60 },
  forgotAddress: { hits: 20, windowMinutes: 60 },
  resetAddress: { hits: 30, windowMinutes: 60 },
  patientEmail: { hits: 60, windowMinutes: 60 },
  sealPendingForm: { hits: 60, windowMinutes: 15 },
  /** Invalid links from one address; a valid link is never counted. */
  unknownLink: { hits: 300, windowMinutes: 15 },
  newLink: { hits: 20, windowMinutes: 60 },
  testMessage: { hits: 20, windowMinutes: 60 },
  /** Plates that the public asks about, from one address: a whole waiting room may share it. */
  carLookUp: { hits: 100, windowMinutes: 15 },
  /** Cars that it registers. */
  parkingBooking: { hits: 60, windowMinutes: 60 },
  /** Invalid API keys from one address; a valid key is never counted here. */
  unknownKey: { hits: 300, windowMinutes: 15 },
  personRegister: { hits: 120, windowMinutes: 60 },
} satisfies Record<string, Limit>;

/** How long somebody has to wait, in whole minutes. */
function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return wholes[minutes] ?? `${minutes} minutter`;
}

const wholes: Readonly<Record<number, string>> = { 1: "et minut", 15: "et kvarter", 60: "en time" };

/**
 * Counts one attempt in a transaction of its own, so that a failed operation does not undo its own counting, and a restart or a
 * second process does not reset it. Throws `tooManyAttempts` past the limit.
 */
export async function throttle(portal: Counting, what: keyof typeof limits, whose: string): Promise<void> {
  await count(portal, `${what}:${whose}`, limits[what]);
}

/** Counts one attempt for the networks of an address (network.server.ts), `of` a part of the portal. Throws `tooManyAttempts` past the limit of any. */
export async function throttleAddress(
  portal: Counting,
  what: keyof typeof limits,
  address: string,
  of = "",
): Promise<void> {
  for (const { network, times } of countedNetworks(address))
    await count(portal, `${what}:${of}${network}`, { ...limits[what], hits: limits[what].hits * times });
}

/** Takes one attempt of an address back, because it was not a guess. */
export async function uncountAddress(
  { db, secrets }: Counting,
  what: keyof typeof limits,
  address: string,
  of = "",
): Promise<void> {
  for (const { network } of countedNetworks(address))
    await uncountAttempt(db, secrets.lookup("throttle", `${what}:${of}${network}`));
}

/** Counts a call by an API key. Throws `tooManyAttempts` beyond so many a minute. */
export async function countCall(portal: Counting, keyId: number, callsPerMinute: number): Promise<void> {
  await count(portal, `apiKey:${keyId}`, { hits: callsPerMinute, windowMinutes: 1 });
}

async function count({ db, secrets, clock }: Counting, what: string, limit: Limit): Promise<void> {
  const id = secrets.lookup("throttle", what);
  const now = clock.now();
  const row = await countAttempt(db, id, { now, oldest: subMinutes(now, limit.windowMinutes) });
  if (row.hits <= limit.hits) return;
  const retryAfterSeconds = Math.max(
    1,
    Math.ceil(
      (new Date(`${row.window_start.replace(" ", "T")}Z`).getTime() + limit.windowMinutes * 60_000 - now.getTime()) /
        1000,
    ),
  );
  throw new Refusal("tooManyAttempts", {
    retryAfterSeconds,
    text: `Der er forsøgt for mange gange. Vent ${waitText(retryAfterSeconds)}, og prøv igen.`,
  });
}

/** Clears an account's failed attempts after a sign-in that worked. */
export async function clearThrottle(
  { db, secrets }: { db: DbOrTx; secrets: Secrets },
  what: keyof typeof limits,
  whose: string,
) {
  await deleteAttempts(db, secrets.lookup("throttle", `${what}:${whose}`));
}

/** Takes one counted attempt back, because it was not a guess. */
export async function uncountThrottle(
  { db, secrets }: { db: Db; secrets: Secrets },
  what: keyof typeof limits,
  whose: string,
) {
  await uncountAttempt(db, secrets.lookup("throttle", `${what}:${whose}`));
}

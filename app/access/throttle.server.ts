import { subMinutes } from "date-fns";
import ipaddr from "ipaddr.js";
import type { Db, DbOrTx } from "~db/connection.server";
import { Refusal } from "./refusal";
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

export const limits = {
  signInAccount: { hits: 10, windowMinutes: 15 },
  signInEverywhere: { hits: 200, windowMinutes: 15 },
  ownPassword: { hits: 10, windowMinutes: 15 },
  secondFactor: { hits: 10, windowMinutes: 15 },
  signInAddress: { hits: 100, windowMinutes: 15 },
  forgotAccount: { hits: 5, windowMinutes: 60 },
  forgotMails: { hits: 5, windowMinutes: 60 },
  forgotAddress: { hits: 20, windowMinutes: 60 },
  resetAddress: { hits: 30, windowMinutes: 60 },
  patientEmail: { hits: 60, windowMinutes: 60 },
  sealPendingForm: { hits: 60, windowMinutes: 15 },
  /** Invalid links from one network; valid links are not counted. */
  unknownLink: { hits: 300, windowMinutes: 15 },
  newLink: { hits: 20, windowMinutes: 60 },
  testMessage: { hits: 20, windowMinutes: 60 },
  carLookUp: { hits: 100, windowMinutes: 15 },
  parkingBooking: { hits: 60, windowMinutes: 60 },
  /** Invalid API keys from one network; valid keys are not counted. */
  unknownKey: { hits: 300, windowMinutes: 15 },
  patientSuggestions: { hits: 300, windowMinutes: 15 },
  personRegister: { hits: 120, windowMinutes: 60 },
} satisfies Record<string, Limit>;

function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return wholes[minutes] ?? `${minutes} minutter`;
}

const wholes: Readonly<Record<number, string>> = { 1: "et minut", 15: "et kvarter", 60: "en time" };

/**
 * Counts one attempt in its own transaction, so that a failed operation does not undo the count. Throws
 * `tooManyAttempts` past the limit.
 */
export async function throttle(portal: Counting, what: keyof typeof limits, whose: string): Promise<void> {
  await count(portal, `${what}:${whose}`, limits[what]);
}

/** Counts one attempt for each network of an address. Throws `tooManyAttempts` past any limit. */
export async function throttleAddress(
  portal: Counting,
  what: keyof typeof limits,
  address: string,
  of = "",
): Promise<void> {
  for (const { network, times } of countedNetworks(address))
    await count(portal, `${what}:${of}${network}`, { ...limits[what], hits: limits[what].hits * times });
}

export async function uncountAddress(
  { db, secrets }: Counting,
  what: keyof typeof limits,
  address: string,
  of = "",
): Promise<void> {
  for (const { network } of countedNetworks(address))
    await uncountAttempt(db, secrets.lookup("throttle", `${what}:${of}${network}`));
}

/** Counts a call by an API key. Throws `tooManyAttempts` beyond its calls a minute. */
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
    Math.ceil((new Date(row.windowStart).getTime() + limit.windowMinutes * 60_000 - now.getTime()) / 1000),
  );
  throw new Refusal("tooManyAttempts", {
    retryAfterSeconds,
    text: `Der er forsøgt for mange gange. Vent ${waitText(retryAfterSeconds)}, og prøv igen.`,
  });
}

export async function clearThrottle(
  { db, secrets }: { db: DbOrTx; secrets: Secrets },
  what: keyof typeof limits,
  whose: string,
) {
  await deleteAttempts(db, secrets.lookup("throttle", `${what}:${whose}`));
}

export async function uncountThrottle(
  { db, secrets }: { db: Db; secrets: Secrets },
  what: keyof typeof limits,
  whose: string,
) {
  await uncountAttempt(db, secrets.lookup("throttle", `${what}:${whose}`));
}

/** The network of a household or office: /24 of IPv4, /56 of IPv6. Text that is no address is returned unchanged. */
export const networkOf = (address: string): string => cut(address, { ipv4: 24, ipv6: 56 });

export const providerNetworkOf = (address: string): string =>
  ipaddr.isValid(address) ? cut(address, { ipv4: 24, ipv6: 48 }) : "unknown";

const TIMES_OF_A_SITE = 10;

/**
 * The networks that an attempt is counted for, with the multiple of the limit that each gets. An IPv4 address may be
 * shared by a whole hospital. An IPv6 line owns its /64, so single addresses do not count; the /48 around it is counted
 * loosely.
 */
function countedNetworks(address: string): { network: string; times: number }[] {
  const line = { network: cut(address, { ipv4: 32, ipv6: 64 }), times: 1 };
  if (!ipaddr.isValid(address) || ipaddr.process(address).kind() === "ipv4") return [line];
  return [line, { network: cut(address, { ipv4: 32, ipv6: 48 }), times: TIMES_OF_A_SITE }];
}

function cut(address: string, { ipv4, ipv6 }: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const network =
    parsed.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${ipv4}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6}`);
  return `${network.toString()}/${parsed.kind() === "ipv4" ? ipv4 : ipv6}`;
}

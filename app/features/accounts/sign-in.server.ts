import { createHash } from "node:crypto";
import { addMinutes } from "date-fns";
import { z } from "zod";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChangeContext, external, type ReadContext } from "~/access/operation.server";
import { rememberAddress, endSession, type SessionProvider, isKnownAddress } from "~/access/session-store.server";
import { beginSession } from "~/access/sessions.server";
import { type AccountRow, findUserName, findSignInUser, isUnchanged } from "./store.server";
import { MAX_SEALED_LENGTH, restoreSealed, returnPath } from "./sealed-input.server";
import type { Secrets } from "~/access/secrets.server";
import { Refusal } from "~/access/refusal";
import { asksForCode, consumeProof, readProof } from "~/features/second-factor/check-code.server";
import type { DbOrTx } from "~db/connection.server";
import { searchKey } from "~/text/names";
import { paths } from "~/paths";
import { cleanLine } from "~/text/normalise";
import { maySignInByPassword } from "./password-rule";
import { verifyPassword } from "./passwords.server";
import {
  networkOf,
  clearThrottle,
  throttle,
  throttleAddress,
  uncountAddress,
  uncountThrottle,
} from "~/access/throttle.server";
import type { Caller } from "~/access/caller";
import type { Portal } from "~/portal.server";

/** Begins the session once every sign-in step is done, and redirects. `sealed` holds the text typed before the last session expired. */
export async function completeSignIn(
  { tx, now, portal, caller }: Pick<ChangeContext, "tx" | "now" | "portal" | "caller">,
  user: AccountRow,
  { to, sealed, provider = null }: { to: string; sealed: string | null; provider?: SessionProvider | null },
) {
  // A change of the password ends the sessions there are, so a former password must not begin one afterwards.
  if (!(await isUnchanged(tx, user))) throw new Refusal("wrongCredentials");
  const restored = sealed ? restoreSealed(portal.secrets, user.id, sealed, now) : null;
  // The former session must be ended now, before its cookie is overwritten.
  if (caller.sessionId !== null) await endSession(tx, caller.sessionId);
  await rememberAddress(tx, user.id, addressHash(portal, caller), now);
  const session = await beginSession(tx, user, now, {
    pendingForm: restored ? sealed : null,
    device: caller.device ?? null,
    provider,
  });
  return { session, to: restored?.path ?? to };
}

const VALID_MINUTES = 10;
const CONTEXT = "sign-in-step";

const shape = z.object({
  userId: z.number(),
  mark: z.string(),
  to: z.string(),
  provider: z.enum(["staff", "referrers"]).nullable().default(null),
  until: z.number(),
});

type SignInStep = Omit<z.input<typeof shape>, "until" | "mark">;

/**
 * Seals who passed the first step into the page that asks for the code. No session exists and nothing is stored
 * until then.
 */
export const sealStep = (secrets: Secrets, step: SignInStep, passwordHash: string | null, now: Date): string =>
  secrets.encrypt(
    "seal",
    JSON.stringify({ ...step, mark: markOf(passwordHash), until: addMinutes(now, VALID_MINUTES).getTime() }),
    CONTEXT,
  );

export function openStep(secrets: Secrets, sealed: string, now: Date) {
  const plain = secrets.decrypt("seal", sealed, CONTEXT);
  const parsed = plain === null ? null : shape.safeParse(JSON.parse(plain));
  if (!parsed?.success || parsed.data.until <= now.getTime()) return null;
  const { mark, until: _until, ...step } = parsed.data;
  return { ...step, isStill: (passwordHash: string | null) => markOf(passwordHash) === mark };
}

const markOf = (passwordHash: string | null) =>
  createHash("sha256")
    .update(passwordHash ?? "")
    .digest("hex")
    .slice(0, 16);

const mergedText = async (db: DbOrTx, userId: number) =>
  `Din profil er samlet med ${await findUserName(db, userId)}. Log ind med det brugernavn.`;

interface Credentials {
  userName: string;
  password: string;
  code?: string;
}

/** Checks the first step of a sign-in. Throws `wrongCredentials`, `wrongCode` and `tooManyAttempts`. */
async function checkCredentials(
  { portal, caller, db, concerns, now }: ReadContext,
  { userName, password, code }: Credentials,
) {
  const account = searchKey(userName);
  concerns({ account });
  const found = await findSignInUser(db, userName, caller.site);
  const user = found && maySignInByPassword(portal.config, found.roles) ? found : undefined;
  await countSignIn(portal, caller, { account, userId: user?.id ?? null });
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (user) concerns({ userId: user.id });
  if (user && matches && user.mergedIntoId !== null)
    throw new Refusal("wrongCredentials", { text: await mergedText(db, user.mergedIntoId) });
  if (!user || !matches || user.status !== 1) throw new Refusal("wrongCredentials");
  await clearFailedSignIns(portal, caller, account);
  if (!(await asksForCode(portal, user))) return { user, proof: null, needsCode: false };
  if (!code?.trim()) return { user, proof: null, needsCode: true };
  return { user, proof: await readProof(portal, user.id, code, now), needsCode: false };
}

async function enter(
  context: ChangeContext,
  { user, proof, needsCode }: Awaited<ReturnType<typeof checkCredentials>>,
  { to, sealed }: { to: string; sealed: string | null },
) {
  const { tx, now, portal, auditChange } = context;
  if (needsCode) {
    auditChange([], "the code is asked for");
    return { data: { step: sealStep(portal.secrets, { userId: user.id, to }, user.passwordHash, now) } };
  }
  if (proof) await consumeProof(tx, portal, proof, now);
  return completeSignIn(context, user, { to, sealed });
}

/**
 * Signs a person in; users of the other site are unknown here. With a second factor `data.step` continues at
 * `confirmSignIn` and no session begins. Throws `wrongCredentials`, `wrongCode` and `tooManyAttempts`.
 */
export const signIn = external({
  name: "signIn",
  permission: "public",
  input: z.object({
    userName: z.string({ error: "Skriv dit brugernavn." }).overwrite(cleanLine).max(100),
    password: z.string({ error: "Skriv din adgangskode." }).max(200),
    code: z.string().max(40).optional(),
    to: returnPath,
    sealed: z.string().max(MAX_SEALED_LENGTH).optional().catch(undefined),
  }),
  prepare: checkCredentials,
  run: (context, { to, sealed = null }, checked) => enter(context, checked, { to, sealed }),
});

/**
 * Signs in as an account of the demo's by its printed password, so that the rules of `signIn` hold here too. Throws
 * `notInScope` where the portal has no such account.
 */
export const signInAsDemo = external({
  name: "signInAsDemo",
  permission: "development",
  input: z.object({ account: z.string().max(100) }),
  async prepare(context, { account }) {
    const { demo } = context.portal;
    const chosen = demo?.accounts.find(({ userName }) => userName === account);
    if (!demo || !chosen) throw new Refusal("notInScope");
    return checkCredentials(context, { userName: chosen.userName, password: demo.password });
  },
  run: (context, _input, checked) => enter(context, checked, { to: paths.overview, sealed: null }),
});

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
async function countSignIn(portal: Portal, caller: Caller, { account, userId }: Attempt): Promise<void> {
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
async function clearFailedSignIns(portal: Portal, caller: Caller, account: string): Promise<void> {
  await clearThrottle(portal, "signInAccount", ownCounter(caller, account));
  await uncountAddress(portal, "signInAddress", caller.address, `${caller.site}:`);
  await uncountThrottle(portal, "signInEverywhere", everywhereCounter(caller, account));
}

const addressHash = ({ secrets }: Pick<Portal, "secrets">, { address }: Pick<Caller, "address">) =>
  secrets.lookup("audit", networkOf(address));

const everywhereCounter = ({ site }: Caller, account: string) => `${site}:${account}`;
const ownCounter = ({ site, address }: Caller, account: string) => `${site}:${networkOf(address)}:${account}`;

import { createRequire } from "node:module";
import { addMinutes, differenceInMinutes } from "date-fns";
import { z } from "zod";
import { proveEmail } from "./external-identity-store.server";
import { endAccessOf, findTokenUser, issueToken, useToken } from "./access-token-store.server";
import { Refusal } from "~/access/refusal";
import { hashSlowly, isHashOf } from "~/access/slow-hash.server";
import { searchKey } from "~/text/names";
import { isCommonPassword } from "./common-passwords.server";
import type { Tx, DbOrTx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";
import { passwordLink, newUserMail, mailAccountChange } from "./account-mail.server";
import {
  type AccountRow,
  findAccount,
  findPasswordRequests,
  insertPasswordRequest,
  takePasswordRequest,
  isUnchanged,
  updatePassword,
  findSignInUser,
  findSignInUsersByEmail,
} from "./store.server";
import type { Role } from "~/access/permissions";
import type { Caller } from "~/access/caller";
import type { Config } from "~/config/config.server";
import { networkOf, throttle, throttleAddress } from "~/access/throttle.server";
import {
  change,
  execute,
  external,
  plainInput,
  read,
  type ReadContext,
  type ChangeContext,
} from "~/access/operation.server";
import { findSessionProvider } from "~/access/session-store.server";
import { beginSession } from "~/access/sessions.server";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import { workOrGiveUp } from "~/features/job-register/operations.server";
import { line } from "~/text/fields.server";
import { cleanLine } from "~/text/normalise";
import { NO_MAIL, passwordErrors, PASSWORDS_UNUSED, passwordsDiffer } from "./password";
import { returnPath } from "./sealed-input.server";
import { hasPasswordOn, maySignInByPassword } from "./password-rule";
import type { KindHooks, SettledMessage } from "~/features/delivery/port";

/** Longer passwords only cost hashing time. */
const MAX_PASSWORD_LENGTH = 200;

export const newPassword = z
  .string({ error: "Skriv en adgangskode." })
  .max(MAX_PASSWORD_LENGTH, `Adgangskoden må højst have ${MAX_PASSWORD_LENGTH} tegn.`)
  .superRefine((password, context) => {
    for (const message of passwordErrors(password)) context.addIssue({ code: "custom", message });
  });

export const passwordPair = {
  newPassword,
  repeatPassword: z.string({ error: "Gentag adgangskoden." }),
};

export function refinePair(values: { newPassword?: string; repeatPassword?: string }, context: z.RefinementCtx): void {
  if (values.newPassword !== values.repeatPassword)
    context.addIssue({ code: "custom", path: ["repeatPassword"], message: passwordsDiffer });
}

export const hashPassword = (password: string): Promise<string> => hashSlowly(password);

/** Throws `invalid` where the people of these roles sign in at the identity provider only. */
export function refuseUnusedPassword(config: Config, roles: Role[]): void {
  if (!maySignInByPassword(config, roles)) throw new Refusal("invalid", { text: PASSWORDS_UNUSED });
}

/** Compared with when there is no account, so that both cases take equally long. */
let nobody: Promise<string> | undefined;

export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await (nobody ??= hashSlowly("Ingen har denne adgangskode 1")));
  const matches = await isHashOf(against, password);
  return stored !== null && matches;
}

/** Characters required besides the person's own name. */
const MIN_OTHER_CHARACTERS = 5;

const load = createRequire(import.meta.url);

/** Score 0 (first guess) to 4. The word lists are large, so they are loaded on first use. */
function strengthOf(password: string, own: string[]): number {
  const { zxcvbn, zxcvbnOptions } = load("@zxcvbn-ts/core") as typeof import("@zxcvbn-ts/core");
  const { adjacencyGraphs, dictionary } = load(
    "@zxcvbn-ts/language-common",
  ) as typeof import("@zxcvbn-ts/language-common");
  zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs });
  // zxcvbn's time grows steeply with length, and the beginning is enough.
  return zxcvbn(password.slice(0, 32), own).score;
}

const lettersOf: Readonly<Record<string, string>> = { "@": "a", "4": "a", "3": "e", "0": "o", $: "s" };

/** The usual signs for letters undone, because guessing programs try them first. */
const withLetters = (password: string) => password.replace(/[@430$]/g, (sign) => lettersOf[sign]!);

/** Throws `weakPassword` for a common password or one with the person's own data. */
export function refuseSimplePassword(
  password: string,
  person: { userName: string; firstName: string; lastName: string },
): void {
  const own = [person.userName, person.firstName, person.lastName]
    .flatMap((text) => searchKey(text).split(" "))
    .filter((word) => word.length > 2);
  const key = searchKey(password);
  const holdsUserName = person.userName.length > 2 && key.includes(searchKey(person.userName));
  const besides = own.reduce((text, word) => text.replaceAll(word, ""), key);
  const isOwnName = besides !== key && besides.length < MIN_OTHER_CHARACTERS;
  const isCommon = isCommonPassword(key) || isCommonPassword(searchKey(withLetters(password)));
  if (holdsUserName || isOwnName || isCommon || strengthOf(password, own) === 0) {
    throw new Refusal("weakPassword", { fields: { newPassword: ["Adgangskoden er for enkel."] } });
  }
}

export const ownPassword = z.string().max(200).default("");

const VALID_MINUTES = 120;

async function passwordResetMail(tx: Tx, { config }: Pick<Portal, "config">, user: AccountRow, now: Date) {
  const token = await issueToken(tx, { purpose: "passwordReset", userId: user.id, now, minutes: VALID_MINUTES });
  const mail = await composeMail(tx, "passwordReset", {
    config,
    values: {
      navn: user.firstName,
      brugernavn: user.userName,
      adgangslink: passwordLink(config, user, token),
      timer: String(VALID_MINUTES / 60),
    },
  });
  const expiresAt = addMinutes(now, VALID_MINUTES);
  return { ...mail, kind: "passwordReset" as const, to: user.email, userId: user.id, expiresAt };
}

/** Mail programs may truncate a link; a broken part makes the link invalid. */
const partOfLink = z.string().max(100).catch("");

/** Chooses a new password by a mailed link and ends all sessions. Throws `tokenInvalid` and `weakPassword`. */
export const resetPassword = external({
  name: "resetPassword",
  permission: "public",
  input: z.object({ userName: line.max(100).catch(""), token: partOfLink, ...passwordPair }).superRefine(refinePair),
  async prepare({ portal, caller, db, concerns, now }, input) {
    concerns({ account: searchKey(input.userName) });
    await throttleAddress(portal, "resetAddress", caller.address);
    const userId = await findTokenUser(db, { token: input.token, now });
    const user = userId === null ? undefined : await findSignInUser(db, input.userName, caller.site);
    if (!user || user.id !== userId || user.status !== 1) throw new Refusal("tokenInvalid");
    concerns({ userId: user.id });
    refuseUnusedPassword(portal.config, user.roles);
    refuseSimplePassword(input.newPassword, {
      userName: user.userName,
      firstName: user.firstName,
      lastName: user.lastName,
    });
    return { user, passwordHash: await hashPassword(input.newPassword) };
  },
  async run(context, input, { user, passwordHash }) {
    const { tx, now } = context;
    const valid = await useToken(tx, { token: input.token, userId: user.id, now });
    if (!valid) throw new Refusal("tokenInvalid");
    await proveEmail(tx, user.id);
    await replacePassword(context, user, passwordHash);
    return { to: `/login?${new URLSearchParams({ userName: user.userName, skiftet: "1" }).toString()}` };
  },
});

/**
 * Stores a new password, ends all sessions and mailed links, and notifies the person by mail. Throws `conflict` if
 * another one was stored since the account was read.
 */
async function replacePassword(context: ChangeContext, account: AccountRow, passwordHash: string): Promise<void> {
  if (!(await isUnchanged(context.tx, account)))
    throw new Refusal("conflict", { text: "Adgangskoden er skiftet imens. Log ind igen." });
  await updatePassword(context.tx, account.id, passwordHash, context.now);
  await endAccessOf(context.tx, account.id, context.now);
  await mailAccountChange(context, account, ["password"]);
}

/** Redirects to `to` unless the password was assigned by somebody else. */
export const readOwnPasswordPage = read({
  name: "readOwnPasswordPage",
  permission: "signedIn",
  input: z.object({ to: returnPath }),
  async run({ person }, { to }) {
    return person.mustChangePassword ? { userName: person.userName } : { redirectTo: to };
  },
});

/**
 * Replaces a password that somebody else chose. All sessions end, this one is renewed, and the person is notified by
 * mail. Throws `weakPassword`, also for the assigned password.
 */
export const chooseOwnPassword = external({
  name: "chooseOwnPassword",
  permission: "signedIn",
  input: z.object({ ...passwordPair, to: returnPath }).superRefine(refinePair),
  async prepare({ portal, person, db }, input) {
    if (!person.mustChangePassword) throw new Refusal("notAllowed");
    await throttle(portal, "ownPassword", String(person.id));
    const account = await findAccount(db, person.id);
    refuseSimplePassword(input.newPassword, person);
    if (await verifyPassword(account.passwordHash, input.newPassword))
      throw new Refusal("weakPassword", {
        text: "Vælg en anden adgangskode end den, du har fået.",
        fields: { newPassword: ["Vælg en anden adgangskode end den, du har fået."] },
      });
    return { account, passwordHash: await hashPassword(input.newPassword) };
  },
  async run(context, { to }, { account, passwordHash }) {
    const { tx, now, person, caller } = context;
    await replacePassword(context, account, passwordHash);
    return { session: await beginSession(tx, person, now, { device: caller.device ?? null }), to };
  },
});

const MAX_PER_RUN = 50;

/** Ids of at most 50 requested links, for the job that mails them. */
export const readPasswordRequests = read({
  name: "accounts.readPasswordRequests",
  permission: "system",
  async run({ db }) {
    return { ids: await findPasswordRequests(db, MAX_PER_RUN) };
  },
});

/**
 * Mails a link to every account of a requested address. Requests older than a link's life, or with `isGivenUp`, are
 * dropped.
 */
export const mailPasswordLinks = change({
  name: "accounts.mailPasswordLinks",
  permission: "system",
  input: z.object({ requestId: z.number().int(), isGivenUp: z.boolean().default(false) }),
  async run({ tx, now, portal, outbox, concerns }, { requestId, isGivenUp }) {
    const request = await takePasswordRequest(tx, requestId);
    if (!request || isGivenUp || differenceInMinutes(now, request.requestedAt) >= VALID_MINUTES) return {};
    const { email: address, site } = request;
    const named = await findSignInUser(tx, address, site);
    const found = named ? [named] : await findSignInUsersByEmail(tx, address, site);
    if (found[0]) concerns({ userId: found[0].id });
    for (const user of found)
      if (mayChooseByMail(user, portal.config)) await outbox.email(await passwordResetMail(tx, portal, user, now));
    return {};
  },
});

const mayChooseByMail = ({ status, email, roles }: AccountRow, config: Config) =>
  status === 1 && email !== "" && maySignInByPassword(config, roles);

/** Runs each request separately; one that fails is given up and does not block the others. */
export async function mailRequestedLinks(portal: Portal, caller: Caller): Promise<void> {
  const { ids } = await execute(portal, caller, readPasswordRequests);
  for (const requestId of ids) {
    const mail = (more = {}) => execute(portal, caller, mailPasswordLinks, plainInput({ requestId, ...more }));
    await workOrGiveUp(portal.log, { what: "mailing a link to a new password" }, mail, () => mail({ isGivenUp: true }));
  }
}

/**
 * Sends a password link to the account of a user name, or to every account of an e-mail address. Throws
 * `accountUnknown` for a name, throttled; an address gets the same answer whether known or not (docs/decisions/0051).
 * Accounts get a limited number of mails an hour, so that nobody can flood a mailbox. Throws `invalid` if the portal
 * cannot send mail.
 */
export const forgotPassword = external({
  name: "forgotPassword",
  permission: "public",
  input: z.object({
    userName: z.string({ error: "Skriv dit brugernavn eller din e-mail." }).overwrite(cleanLine).max(254),
  }),
  async prepare({ portal, caller, db, concerns }, { userName }) {
    if (!isChannelSet(portal, "email")) throw new Refusal("invalid", { text: NO_MAIL });
    const account = searchKey(userName);
    concerns({ account });
    await throttleAddress(portal, "forgotAddress", caller.address);
    await throttle(portal, "forgotAccount", `${caller.site}:${networkOf(caller.address)}:${account}`);
    const isAddress = userName.includes("@");
    if (!hasPasswordOn(caller.site, portal.config)) throw new Refusal("accountUnknown");
    // A job looks the address up, so that the response and its time are the same for unknown ones.
    const user = isAddress ? undefined : await findSignInUser(db, userName, caller.site);
    if (user) concerns({ userId: user.id });
    if (!isAddress && !(user && mayChooseByMail(user, portal.config))) throw new Refusal("accountUnknown");
    return { user, isAddress, isMailed: await hasMailsLeft(portal, caller, account) };
  },
  async run({ tx, now, portal, outbox, caller }, { userName }, { user, isAddress, isMailed }) {
    if (isMailed && isAddress)
      await insertPasswordRequest(tx, { site: caller.site, email: userName, requestedAt: now });
    if (isMailed && user) await outbox.email(await passwordResetMail(tx, portal, user, now));
    return { data: { sent: true, isAddress } };
  },
});

function hasMailsLeft(portal: Portal, { site }: Caller, account: string): Promise<boolean> {
  return throttle(portal, "forgotMails", `${site}:${account}`).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

const PROVEN_MINUTES = 10;
const PROVE_AGAIN = `Du har ingen adgangskode her. Log ud, log ind igen hos login-udbyderen, og gør det inden for ${PROVEN_MINUTES} minutter.`;

/**
 * Checks the person's present password; `missing` is the message when it is empty. Who has none must have signed in at
 * the identity provider within ten minutes. Throws `wrongCurrentPassword`.
 */
export async function askOwnPassword(
  { portal, person, caller, db, now }: Pick<ReadContext, "portal" | "person" | "caller" | "db" | "now">,
  typed: string,
  missing: string,
): Promise<void> {
  const wrong = (text: string, title?: string) =>
    new Refusal("wrongCurrentPassword", {
      text: title,
      fields: { currentPassword: [text] },
    });
  const { passwordHash: stored } = await findAccount(db, person.id);
  if (stored === null) {
    const provider = await findSessionProvider(db, caller.sessionId);
    if (provider !== null && differenceInMinutes(now, provider.began) < PROVEN_MINUTES) return;
    throw wrong(PROVE_AGAIN);
  }
  if (typed === "") throw wrong(missing, "Adgangskoden mangler.");
  await throttle(portal, "ownPassword", String(person.id));
  if (!(await verifyPassword(stored, typed))) throw wrong("Den nuværende adgangskode er ikke korrekt.");
}

/**
 * Changes one's own password: asks for the current one, ends all other sessions and renews this one; the person is notified by mail.
 * Throws `wrongCurrentPassword` and `weakPassword`.
 */
export const changePassword = external({
  name: "changePassword",
  permission: "account.manage",
  input: z
    .object({ currentPassword: z.string({ error: "Skriv din nuværende adgangskode." }).max(200), ...passwordPair })
    .superRefine(refinePair),
  async prepare(context, input) {
    const { person, db, portal } = context;
    refuseUnusedPassword(portal.config, person.roles);
    await askOwnPassword(context, input.currentPassword, "Skriv din nuværende adgangskode.");
    const account = await findAccount(db, person.id);
    refuseSimplePassword(input.newPassword, person);
    return { passwordHash: await hashPassword(input.newPassword), account };
  },
  async run(context, _input, { passwordHash, account }) {
    const { tx, now, person, caller } = context;
    const provider = await findSessionProvider(tx, caller.sessionId);
    await replacePassword(context, account, passwordHash);
    return {
      session: await beginSession(tx, person, now, { device: caller.device ?? null, provider }),
      to: "/management/change-password?skiftet=1",
    };
  },
});

/**
 * Retrying a link creates a new one for the user's present address. A first link is dropped once the user has a
 * password.
 */
function linkHooks(
  isNeeded: (account: AccountRow) => boolean,
  write: typeof newUserMail | typeof passwordResetMail,
): KindHooks {
  const accountOf = async (db: DbOrTx, { userId }: SettledMessage) => {
    const account = userId === null ? null : await findAccount(db, userId);
    return account?.status === 1 && account.email !== "" && isNeeded(account) ? account : null;
  };
  return {
    async resendWays(portal, message) {
      const { channel } = message;
      return (await accountOf(portal.db, message)) && isChannelSet(portal, channel) ? [channel] : [];
    },
    async resend({ tx, portal, outbox, now }, message) {
      const account = await accountOf(tx, message);
      if (account === null)
        throw new Refusal("conflict", { text: "Brugeren er ikke aktiv, eller har valgt en adgangskode." });
      await outbox.email({ ...(await write(tx, portal, account, now)), resendsId: message.id });
    },
  };
}

export const newUserHooks = linkHooks(({ passwordHash: hash }) => hash === null, newUserMail);
export const passwordResetHooks = linkHooks(() => true, passwordResetMail);

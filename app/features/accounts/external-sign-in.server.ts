import { invalidateDirectory } from "~/features/directory/operations.server";
import { endAccessOf, findTokenUser, useToken } from "./access-token-store.server";
import { addMinutes } from "date-fns";
import { z } from "zod";
import type { AccountGroup, Role } from "~/access/actor";
import { mayUseSite } from "~/access/authorise.server";
import type { Caller, Site } from "~/access/caller";
import { type ChangeContext, external, read, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { throttleAddress, uncountAddress } from "~/access/throttle.server";
import type { Config } from "~/config/config.server";
import { asksForCode } from "~/features/second-factor/check-code.server";
import {
  type ExternalIdentity,
  type IdentityProvider,
  SignInFailure,
  type SignInRound,
} from "~/gateways/identity-provider/port";
import type { Portal } from "~/portal.server";
import type { DbOrTx } from "~db/connection.server";
import { newUserName, personName } from "~/text/fields.server";
import { externalTexts } from "./external-sign-in-texts";
import { findActiveClinics } from "~/features/directory/store.server";
import { groupOf, groupsOfSite } from "./password-rule";
import { returnPath } from "./sealed-input.server";
import { mailAccountChange } from "./account-mail.server";
import { completeSignIn, sealStep } from "./sign-in.server";
import {
  bindSubject,
  findByExternalIdentity,
  findByProvenEmail,
  findBySubject,
  insertReferrer,
} from "./external-identity-store.server";
import { type AccountRow, findAccount, findUserName, replaceRoles } from "./store.server";

/** The provider of a group at this site. Throws `notInScope` where there is none. */
function providerAt(portal: Portal, caller: Caller, group: AccountGroup): IdentityProvider {
  const provider = groupsOfSite(caller.site).includes(group) ? portal.identityProviders[group] : null;
  if (provider === null) throw new Refusal("notInScope", { text: externalTexts.noProvider });
  return provider;
}

const CONTEXT = "external-sign-in";
const VALID_MINUTES = 10;

const accountGroup = z.enum(["staff", "referrers"]);

const sealedRound = z.object({
  group: accountGroup,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  link: z.string(),
  until: z.number(),
});

interface Begun extends SignInRound {
  group: AccountGroup;
  to: string;
  /** Token of an administrator's link; empty without one. */
  link: string;
}

const sealRound = (secrets: Secrets, begun: Begun, now: Date): string =>
  secrets.encrypt("seal", JSON.stringify({ ...begun, until: addMinutes(now, VALID_MINUTES).getTime() }), CONTEXT);

function openRound(secrets: Secrets, sealed: string, now: Date): Begun | null {
  const plain = secrets.decrypt("seal", sealed, CONTEXT);
  const parsed = plain === null ? null : sealedRound.safeParse(JSON.parse(plain));
  return parsed?.success && parsed.data.until > now.getTime() ? parsed.data : null;
}

/**
 * Where to sign in at the provider, and what the browser keeps until it comes back, sealed for ten minutes. Throws
 * `notInScope` and, when the provider is away, `wrongCredentials`. Not counted: any page may send a browser here.
 */
export const beginExternalSignIn = read({
  name: "beginExternalSignIn",
  permission: "public",
  input: z.object({
    group: accountGroup,
    returnAddress: z.string(),
    to: returnPath,
    link: z.string().max(100).nullish().catch(null),
  }),
  async run({ portal, caller, now }, { group, returnAddress, to, link }) {
    const provider = providerAt(portal, caller, group);
    const { address, round } = await asked(portal, provider.begin(returnAddress));
    return { address, round: sealRound(portal.secrets, { ...round, group, to, link: link ?? "" }, now) };
  },
});

/**
 * Returns the address where the person ends the provider's own session, or `returnAddress` if the provider has no
 * such page. Throws `notInScope` if this site has no provider for the group.
 */
export const endExternalSession = read({
  name: "endExternalSession",
  permission: "public",
  input: z.object({ group: accountGroup, returnAddress: z.string() }),
  async run({ portal, caller }, { group, returnAddress }) {
    const provider = providerAt(portal, caller, group);
    return { address: (await provider.signOutAddress(returnAddress)) ?? returnAddress };
  },
});

/**
 * Signs in who comes back from the provider. An account there that is bound counts by issuer and subject alone; before
 * the first time, `data.binding` shows to whom `confirmExternalBinding` would bind it. Where the provider did not ask
 * for a second factor, ours is asked for in `data.step`. Only an answer to a round of this browser is counted, and a
 * success is not. Throws `wrongCredentials` with its reason, `signInExpired`, `tooManyAttempts` and `notInScope`.
 */
export const finishExternalSignIn = external({
  name: "finishExternalSignIn",
  permission: "public",
  input: z.object({ group: accountGroup, answer: z.string().max(16_384), round: z.string().max(4_096) }),
  async prepare(context, input) {
    const { portal, caller, now, concerns } = context;
    const provider = providerAt(portal, caller, input.group);
    const begun = openRound(portal.secrets, input.round, now);
    if (begun === null || begun.group !== input.group)
      throw new Refusal("signInExpired", { text: externalTexts.expired });
    const counter = ["signInAddress", caller.address, `${caller.site}:`] as const;
    await throttleAddress(portal, ...counter);
    const identity = await asked(portal, provider.finish(new URL(input.answer), begun));
    const found = await findMatch(context, identity, begun);
    if (found) concerns({ userId: found.id });
    if (found) await refuseUser(context.db, found, input.group, caller.site);
    const roles = rolesOf(portal.config, identity, input.group);
    const made = found === null ? await referrerOf(portal, identity, input.group) : null;
    if (found === null && made === null) throw new Refusal("wrongCredentials", { text: externalTexts.unknown });
    const needsCode = found !== null && !identity.hasSecondFactor && (await asksForCode(portal, found));
    await uncountAddress(portal, ...counter);
    return { begun, identity, found, made, roles, needsCode };
  },
  async run(context, input, { begun, identity, found, made, roles, needsCode }) {
    const { tx, now, portal, auditChange } = context;
    const { issuer, subject, hasSecondFactor } = identity;
    const proven = { group: input.group, to: begun.to, roles, hasSecondFactor };
    if (found !== null && found.externalSubject !== null) return enter(context, found, proven, needsCode);
    if (found !== null) {
      auditChange([], "the binding is asked for");
      const binding = { ...proven, issuer, subject, link: begun.link, userId: found.id };
      const { firstName, lastName, userName } = found;
      const shown = { name: `${firstName} ${lastName}`, userName };
      return { data: { binding: { ...shown, step: sealBinding(portal.secrets, binding, now) } } };
    }
    const user = await insertReferrer(tx, made!, now);
    invalidateDirectory(context);
    await bind(context, user, { issuer, subject });
    return enter(context, user, proven, needsCode);
  },
});

const BINDING_CONTEXT = "external-binding";

const sealedBinding = z.object({
  userId: z.number(),
  group: accountGroup,
  issuer: z.string(),
  subject: z.string(),
  hasSecondFactor: z.boolean(),
  roles: z.array(z.custom<Role>()).nullable(),
  to: z.string(),
  link: z.string(),
  until: z.number(),
});

type Binding = Omit<z.output<typeof sealedBinding>, "until">;

const sealBinding = (secrets: Secrets, binding: Binding, now: Date): string =>
  secrets.encrypt(
    "seal",
    JSON.stringify({ ...binding, until: addMinutes(now, VALID_MINUTES).getTime() }),
    BINDING_CONTEXT,
  );

function openBinding(secrets: Secrets, sealed: string, now: Date): Binding | null {
  const plain = secrets.decrypt("seal", sealed, BINDING_CONTEXT);
  const parsed = plain === null ? null : sealedBinding.safeParse(JSON.parse(plain));
  return parsed?.success && parsed.data.until > now.getTime() ? parsed.data : null;
}

/**
 * 'Knyt kontoen': binds the account that has just signed in at the provider to the user whose name its page showed, ends
 * the user's other sessions and signs in. Throws `signInExpired`, and `wrongCredentials` with its reason.
 */
export const confirmExternalBinding = external({
  name: "confirmExternalBinding",
  permission: "public",
  input: z.object({ step: z.string().max(4_096) }),
  async prepare({ portal, caller, db, concerns, now }, { step }) {
    const binding = openBinding(portal.secrets, step, now);
    const user = binding && (await findAccount(db, binding.userId).catch(() => null));
    if (!binding || !user) throw new Refusal("signInExpired", { text: externalTexts.expired });
    concerns({ userId: user.id });
    await refuseUser(db, user, binding.group, caller.site);
    return { binding, user, needsCode: !binding.hasSecondFactor && (await asksForCode(portal, user)) };
  },
  async run(context, _input, { binding, user, needsCode }) {
    const { tx, now } = context;
    const { link: token } = binding;
    if (token !== "" && !(await useToken(tx, { token, userId: user.id, now, purposes: LINK })))
      throw new Refusal("signInExpired", { text: externalTexts.linkUsed });
    await bind(context, user, binding);
    return enter(context, user, binding, needsCode);
  },
});

async function bind(
  context: ChangeContext,
  user: AccountRow,
  subject: Pick<ExternalIdentity, "issuer" | "subject">,
): Promise<void> {
  const { tx, now, auditChange } = context;
  if (!(await bindSubject(tx, user.id, subject, now)))
    throw new Refusal("wrongCredentials", { text: externalTexts.taken });
  await endAccessOf(tx, user.id, now);
  auditChange([], "external account bound");
  await mailAccountChange(context, user, ["externalAccount"]);
}

async function enter(
  context: ChangeContext,
  user: AccountRow,
  { group, to, roles, hasSecondFactor }: Pick<Binding, "group" | "to" | "roles" | "hasSecondFactor">,
  needsCode: boolean,
) {
  const { tx, now, portal } = context;
  if (roles !== null && !isSameSet(roles, user.roles)) await replaceRoles(tx, user.id, roles);
  if (needsCode)
    return {
      data: { step: sealStep(portal.secrets, { userId: user.id, to, provider: group }, user.passwordHash, now) },
    };
  const provider = { group, hasSecondFactor };
  return completeSignIn(context, { ...user, roles: roles ?? user.roles }, { to, sealed: null, provider });
}

/** Logs a fault of the provider and throws `wrongCredentials` with its text. */
async function asked<T>({ log }: Pick<Portal, "log">, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    log.warn({ fault: error.fault, detail: error.detail }, "sign-in at the identity provider failed");
    throw new Refusal("wrongCredentials", { text: externalTexts[error.fault] });
  }
}

const LINK = ["externalAccount"] as const;

/**
 * The user of an account: the one bound to it, or the one who is not bound yet and whom an administrator's link, the
 * account's name or its e-mail names. Only an address that was proven by a mailed link counts.
 */
async function findMatch(
  { db, now }: Pick<ReadContext, "db" | "now">,
  identity: ExternalIdentity,
  { link, group }: Begun,
): Promise<AccountRow | null> {
  const bound = await findBySubject(db, identity);
  if (bound !== null) return bound;
  const linkedId = link === "" ? null : await findTokenUser(db, { token: link, now, purposes: LINK });
  if (link !== "" && linkedId === null) throw new Refusal("signInExpired", { text: externalTexts.linkUsed });
  const named =
    linkedId === null
      ? ((await findByName(db, identity)) ?? (await findByOwnEmail(db, identity, group)))
      : await findAccount(db, linkedId);
  if (named !== null && named.externalSubject !== null)
    throw new Refusal("wrongCredentials", { text: externalTexts.taken });
  return named;
}

const findByName = async (db: DbOrTx, { name }: ExternalIdentity) =>
  name === null ? null : findByExternalIdentity(db, name);

async function findByOwnEmail(db: DbOrTx, identity: ExternalIdentity, group: AccountGroup): Promise<AccountRow | null> {
  if (!identity.isEmail || identity.name === null) return null;
  const users = (await findByProvenEmail(db, identity.name)).filter(
    ({ roles, status }) => status === 1 && groupOf(roles) === group,
  );
  return users.length === 1 ? users[0]! : null;
}

async function refuseUser(
  db: DbOrTx,
  { roles, status, mergedIntoId }: AccountRow,
  group: AccountGroup,
  site: Site,
): Promise<void> {
  const isHere = groupOf(roles) === group && mayUseSite({ kind: "person", roles }, site);
  if (!isHere) throw new Refusal("wrongCredentials", { text: externalTexts.unknown });
  if (mergedIntoId !== null)
    throw new Refusal("wrongCredentials", { text: externalTexts.merged(await findUserName(db, mergedIntoId)) });
  if (status !== 1) throw new Refusal("wrongCredentials", { text: externalTexts.inactive });
}

/** Roles that follow the provider's groups; null where the portal gives them. Throws `wrongCredentials` for none. */
function rolesOf({ signIn }: Config, { groups }: ExternalIdentity, group: AccountGroup): Role[] | null {
  const byGroup = group === "staff" ? signIn.staff?.rolesByGroup : null;
  if (!byGroup) return null;
  const roles = new Set(groups.flatMap((each) => byGroup.get(each) ?? []));
  if (roles.size === 0) throw new Refusal("wrongCredentials", { text: externalTexts.noGroup });
  return [...roles];
}

const isSameSet = (one: Role[], other: Role[]) =>
  one.length === other.length && one.every((role) => other.includes(role));

const newReferrer = z.object({ userName: newUserName, firstName: personName(""), lastName: personName("") });

/**
 * The dentist that a new account becomes, by the rules of every new user; null where the settings make nobody, their
 * clinic is not active, or the account lacks a name.
 */
async function referrerOf(
  { config: { signIn }, db, log }: Pick<Portal, "config" | "db" | "log">,
  { name, person }: ExternalIdentity,
  group: AccountGroup,
) {
  const clinicId = group === "referrers" ? signIn.newReferrersClinicId : null;
  const parsed = newReferrer.safeParse({ userName: name, ...person });
  if (clinicId === null || !parsed.success) return null;
  if ((await findActiveClinics(db, [clinicId])).length === 0) {
    log.warn({ clinicId }, "OIDC_REFERRER_CREATE_CLINIC is no active clinic");
    return null;
  }
  return { ...parsed.data, email: person.email ?? "", clinicId };
}

import { invalidateDirectory } from "~/features/directory/operations.server";
import { findTokenUser, useToken } from "./access-token-store.server";
import { addMinutes } from "date-fns";
import { z } from "zod";
import type { AccountGroup, Role } from "~/access/actor";
import { mayUseSite } from "~/access/authorise.server";
import type { Caller, Site } from "~/access/caller";
import { external, read, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { throttleAddress } from "~/access/throttle.server";
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
import { bindSubject, findByExternalIdentity, findBySubject, insertReferrer } from "./external-identity-store.server";
import { type AccountRow, findAccount, findByEmail, replaceRoles } from "./store.server";

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
 * `notInScope`, `tooManyAttempts` and, when the provider is away, `wrongCredentials`.
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
    await throttleAddress(portal, "signInAddress", caller.address, `${caller.site}:`);
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
 * Signs in who comes back from the provider. An account there is bound to a user once, by the name that an
 * administrator filled in, and from then on counts by issuer and subject alone. Where the provider did not ask for a
 * second factor, ours is asked for in `data.step`. Throws `wrongCredentials` with its reason, `signInExpired`,
 * `tooManyAttempts` and `notInScope`.
 */
export const finishExternalSignIn = external({
  name: "finishExternalSignIn",
  permission: "public",
  input: z.object({ group: accountGroup, answer: z.string().max(16_384), round: z.string().max(4_096) }),
  async prepare(context, input) {
    const { portal, caller, now, concerns } = context;
    const provider = providerAt(portal, caller, input.group);
    await throttleAddress(portal, "signInAddress", caller.address, `${caller.site}:`);
    const begun = openRound(portal.secrets, input.round, now);
    if (begun === null || begun.group !== input.group)
      throw new Refusal("signInExpired", { text: externalTexts.expired });
    const identity = await asked(portal, provider.finish(new URL(input.answer), begun));
    const found = await findMatch(context, identity, begun);
    if (found) concerns({ userId: found.id });
    if (found) refuseUser(found, input.group, caller.site);
    const roles = rolesOf(portal.config, identity, input.group);
    const made = found === null ? await referrerOf(portal, identity, input.group) : null;
    if (found === null && made === null) throw new Refusal("wrongCredentials", { text: externalTexts.unknown });
    const needsCode = found !== null && !identity.hasSecondFactor && (await asksForCode(portal, found));
    return { begun, identity, found, made, roles, needsCode };
  },
  async run(context, input, { begun, identity, found, made, roles, needsCode }) {
    const { tx, now, portal, auditChange } = context;
    const user = found ?? (await insertReferrer(tx, made!, now));
    if (found === null) invalidateDirectory(context);
    if (user.external_subject === null && !(await bindSubject(tx, user.id, identity, now)))
      throw new Refusal("wrongCredentials", { text: externalTexts.taken });
    if (begun.link !== "") await useToken(tx, { token: begun.link, userId: user.id, now, purposes: LINK });
    if (roles !== null && !isSameSet(roles, user.roles)) await replaceRoles(tx, user.id, roles);
    if (user.external_subject === null) {
      auditChange([], "external account bound");
      await mailAccountChange(context, user, ["externalAccount"]);
    }
    if (needsCode) {
      const step = { userId: user.id, to: begun.to, provider: input.group };
      return { data: { step: sealStep(portal.secrets, step, user.password_hash, now) } };
    }
    const provider = { group: input.group, hasSecondFactor: identity.hasSecondFactor };
    return completeSignIn(context, { ...user, roles: roles ?? user.roles }, { to: begun.to, sealed: null, provider });
  },
});

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
 * account's name or its e-mail names.
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
  if (named !== null && named.external_subject !== null)
    throw new Refusal("wrongCredentials", { text: externalTexts.taken });
  return named;
}

const findByName = async (db: DbOrTx, { name }: ExternalIdentity) =>
  name === null ? null : findByExternalIdentity(db, name);

async function findByOwnEmail(db: DbOrTx, identity: ExternalIdentity, group: AccountGroup): Promise<AccountRow | null> {
  if (!identity.isEmail || identity.name === null) return null;
  const users = (await findByEmail(db, identity.name)).filter(
    ({ roles, status }) => status === 1 && groupOf(roles) === group,
  );
  return users.length === 1 ? users[0]! : null;
}

function refuseUser({ roles, status, merged_into_id }: AccountRow, group: AccountGroup, site: Site): void {
  const isHere = groupOf(roles) === group && mayUseSite({ kind: "person", roles }, site);
  if (!isHere) throw new Refusal("wrongCredentials", { text: externalTexts.unknown });
  if (status !== 1 || merged_into_id !== null) throw new Refusal("wrongCredentials", { text: externalTexts.inactive });
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

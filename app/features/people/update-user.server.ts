import { z } from "zod";
import { findSurgeons, invalidateDirectory } from "~/features/directory/operations.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { countOpenCases, giveCases } from "~/features/referrals/store/surgeon-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import type { Actor, Role } from "~/access/actor";
import { seesClinic } from "~/access/directory-scope-store.server";
import {
  change,
  type ChangeContext,
  external,
  nothingChanged,
  read,
  type ReadContext,
  succeeded,
  wholeNumber,
} from "~/access/operation.server";
import { type Edit, hasValues, rowIdIn } from "~/access/edit.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { hasFactor } from "~/features/second-factor/second-factor-store.server";
import type { Portal } from "~/portal.server";
import type { DbOrTx, Tx } from "~db/connection.server";
import {
  findClinicsOfUsers,
  findRolesOfUsers,
  findUserInScope,
  lockActiveStaff,
  updateUserRow,
  type UserRow,
} from "./people-store.server";
import { accountTypes, kindOf, rolesOfKind, sortRoles } from "./role-names";
import { endKeysOfUser } from "~/access/api-key-store.server";
import { newUserMail, mailAccountChange } from "~/features/accounts/account-mail.server";
import { maySignInByPassword } from "~/features/accounts/password-rule";
import { endAccessOf, issueToken, revokeTokens } from "~/features/accounts/access-token-store.server";
import { askOwnPassword, ownPassword } from "~/features/accounts/passwords.server";
import { findAccount, lockAccount, replaceRoles } from "~/features/accounts/store.server";
import { ACTIVE, activityLabel, INACTIVE } from "~/features/directory/activity";
import { ediDentistId, ediDentistNumber, ediIdOf, flag, statusField, typedUser } from "./user.schema.server";
import { emailKey, optionalLine } from "~/text/fields.server";
import { releaseSubject, setExternalIdentity } from "~/features/accounts/external-identity-store.server";
import { externalTexts } from "~/features/accounts/external-sign-in-texts";
import { groupOf } from "~/features/accounts/password-rule";
import { externalSignInPath } from "~/paths";
import { clinicIdsOf } from "~/features/directory/store.server";
import { userValues } from "./user-values";

const USER_UNKNOWN = "Brugeren findes ikke, eller du har ikke adgang til den.";

interface UserInScope {
  row: UserRow;
  roles: Role[];
  /** Staff may change everybody; others those without staff roles who belong to no other clinic. */
  mayChange: boolean;
}

export async function findUser(db: DbOrTx, actor: Actor, userId: number): Promise<UserInScope> {
  const row = await findUserInScope(db, actor, userId);
  if (!row) throw new Refusal("notInScope", { text: USER_UNKNOWN });
  const roles = (await findRolesOfUsers(db, [userId])).map(({ role }) => role);
  const mayChange =
    can(actor, "directory.manageAll") ||
    (!kindOf(roles).isStaff && (await clinicIdsOf(db, userId)).every((clinicId) => seesClinic(actor, clinicId)));
  return { row, roles: sortRoles(roles), mayChange };
}

/** A user with what the caller may change (GET /Users/{id}). Throws `notInScope`. */
export const readUser = read({
  name: "readUser",
  permission: "directory.manage",
  input: z.object({ userId: wholeNumber }),
  run: ({ db, actor, portal }, { userId }) => readUserOf(db, portal, actor, userId),
});

export async function readUserOf(
  db: DbOrTx,
  { identityProviders, config }: Pick<Portal, "identityProviders" | "config">,
  actor: Actor,
  userId: number,
) {
  const { row, roles, mayChange } = await findUser(db, actor, userId);
  const kind = kindOf(roles);
  const openCases = kind.isSurgeon && can(actor, "directory.manageAll") ? await countOpenCases(db, row.id) : null;
  return {
    openCases,
    successors: openCases && openCases.count > 0 ? (await findSurgeons(db)).filter(({ id }) => id !== row.id) : [],
    id: row.id,
    version: row.version,
    ...kind,
    firstName: row.firstName,
    lastName: row.lastName,
    userName: row.userName,
    email: row.email,
    status: row.status,
    phone: row.phone,
    mobilePhone: row.mobilePhone,
    dentistExternalId: row.dentistExternalId,
    ediDentistId: row.ediDentistId,
    sendsEndingLettersViaEdi: ediChoice(actor, row, kind),
    clinics: (await findClinicsOfUsers(db, actor, [row.id])).map(({ id, name }) => ({ id, name })),
    creatorUserName: row.creatorUserName,
    createdAt: row.createdAt,
    lastPasswordResetAt: row.lastPasswordResetAt,
    acceptedConditionsAt: row.acceptedConditionsAt,
    lastActiveAt: row.lastActiveAt,
    mayChange,
    hasPassword: row.passwordHash !== null,
    usesPassword: maySignInByPassword(config, roles),
    canEnter: maySignInByPassword(config, roles) ? row.passwordHash !== null : row.externalSubject !== null,
    hasSecondFactor: can(actor, "directory.manageAll") ? await hasFactor(db, row.id) : null,
    isSelf: actor.kind === "person" && actor.id === row.id,
    /** Null where people of that kind sign in with a password only, and for those who may not bind. */
    external:
      identityProviders[kind.isStaff ? "staff" : "referrers"] === null || !can(actor, "directory.manageAll")
        ? null
        : { identity: row.externalIdentity ?? "", isBound: row.externalSubject !== null },
  };
}

const ediChoice = (actor: Actor, row: UserRow, { isStaff }: { isStaff: boolean }) =>
  can(actor, "directory.manageAll") && !isStaff ? row.sendEndingLettersViaEdi : null;

const userEdit: Edit = {
  async read({ db, actor }, field) {
    const { row, roles } = await findUser(db, actor, rowIdIn(field("userId")));
    const kind = kindOf(roles);
    return {
      values: userValues({ ...row, ...kind, sendsEndingLettersViaEdi: ediChoice(actor, row, kind) }),
      shown: { status: activityLabel(row.status) },
      version: row.version,
    };
  },
};

const input = z.object({
  userId: wholeNumber,
  seenVersion: wholeNumber.optional(),
  ...typedUser,
  status: statusField,
  ediDentistId,
  ediDentistNumber,
  sendEndingLettersViaEdi: flag,
  currentPassword: ownPassword,
  /** Who gets the open cases of a surgeon who is made inactive. */
  handOverTo: z.union([z.literal(""), wholeNumber]).optional(),
});

type Input = z.output<typeof input>;

/**
 * 'Opdater bruger'. A new e-mail or user name ends the user's sessions, except one's own. Others than staff may change
 * only users without staff roles who belong to no other clinic. For staff and oneself, sign-in details, status and role
 * require one's own password. Throws `notInScope`, `notAllowed`, `conflict`, `userNameTaken` and
 * `wrongCurrentPassword`.
 */
export const updateUser = external({
  name: "updateUser",
  permission: "directory.manage",
  edit: userEdit,
  input,
  prepare: judgeChange,
  async run(context, form, { found, roles, changed }) {
    const { tx, person, caller, now, portal, outbox, concerns, auditChange } = context;
    const { row } = found;
    concerns({ userId: row.id });
    const seen = { id: row.id, version: form.seenVersion ?? row.version };
    const columns = columnsOf(context.actor, form, found);
    if (seen.version === row.version && changed.length === 0 && hasValues(row, columns)) return nothingChanged(context);
    await refuseLastAdmin(tx, form, found);
    if (!(await updateUserRow(tx, seen, columns, now))) throw conflict();
    if (roles !== found.roles) await replaceRoles(tx, row.id, roles);
    const isSelf = person.id === row.id;
    const mailedChanges = (["email", "userName"] as const).filter((what) => changed.includes(what));
    if (form.status === INACTIVE) await endKeysOfUser(tx, row.id, now);
    if (form.status === INACTIVE || mailedChanges.length > 0)
      await endAccessOf(tx, row.id, now, isSelf ? caller.sessionId : null);
    if (changed.length > 0) auditChange([], `changed: ${changed.join(", ")}`);
    if (mailedChanges.length > 0)
      await mailAccountChange(context, row, mailedChanges, {
        addresses: [row.email, form.email],
        userName: form.userName,
        by: isSelf ? undefined : person,
      });
    const isNew = maySignInByPassword(portal.config, roles) ? row.passwordHash === null : row.externalSubject === null;
    if (isNew && form.status === ACTIVE && changed.some((what) => what !== "role"))
      await outbox.email(await newUserMail(tx, portal, await findAccount(tx, row.id), now));
    invalidateDirectory(context);
    const cases = form.status === INACTIVE && row.status === ACTIVE ? await handOver(context, found, form) : null;
    return succeeded(["Brugeren er opdateret.", cases].filter(Boolean).join(" "));
  },
});

/** Gives away the open cases of a surgeon who is made inactive. Returns what became of them, null without any. */
async function handOver(context: ChangeContext, { row, roles }: UserInScope, form: Input): Promise<string | null> {
  const { tx, actor, person, now } = context;
  const { count } = kindOf(roles).isSurgeon ? await countOpenCases(tx, row.id) : { count: 0 };
  if (count === 0) return null;
  const cases = count === 1 ? "1 åben sag" : `${count} åbne sager`;
  if (!form.handOverTo) return `${row.firstName} har ${cases}: se køen »uden aktiv kirurg«.`;
  const surgeon = (await findSurgeons(tx)).find(({ id }) => id === form.handOverTo && id !== row.id);
  if (surgeon === undefined) throw new Refusal("invalid", { fields: { handOverTo: ["Vælg en kirurg fra listen."] } });
  const given = await giveCases(tx, { from: row.id, to: surgeon.id, by: person.id }, now);
  const event = `${surgeon.name} er kirurg på sagen`;
  await insertVisitLog(
    tx,
    actor,
    given.map((each) => ({ ...each, event })),
    now,
  );
  context.auditChange(given.map(({ referralId }) => referralId));
  invalidateCounts(context);
  return `${surgeon.name} har fået ${cases}.`;
}

async function judgeChange(context: ReadContext, form: Input) {
  const { db, actor, person } = context;
  const found = await findUser(db, actor, form.userId);
  context.concerns({ userId: form.userId });
  const { isStaff } = kindOf(found.roles);
  if (isStaff !== (form.type === accountTypes.staff)) throw new Refusal("notInScope", { text: USER_UNKNOWN });
  if (!found.mayChange) throw new Refusal("notAllowed");
  if (form.status === ACTIVE && found.row.mergedIntoId !== null)
    throw new Refusal("conflict", {
      text: "Brugeren er samlet med en anden og kan ikke gøres aktiv. Fortryd fusioneringen først.",
    });
  const roles = rolesOfKind({ ...form, isStaff }, found.roles);
  const changed = changesOf(form, found, roles);
  const isSelf = person.id === found.row.id;
  if (isSelf && form.status === INACTIVE)
    throw new Refusal("invalid", { fields: { status: ["Du kan ikke gøre dig selv inaktiv."] } });
  if (changed.length > 0 && (isStaff || isSelf))
    await askOwnPassword(
      context,
      form.currentPassword,
      "Skriv din egen adgangskode for at ændre brugernavn, e-mail, status eller rolle.",
    );
  return { found, roles, changed };
}

function changesOf(form: Input, { row, roles: before }: UserInScope, roles: Role[]) {
  const isOther = {
    email: emailKey(row.email) !== emailKey(form.email),
    userName: row.userName !== form.userName,
    status: row.status !== form.status,
    role: roles !== before,
  };
  return (["email", "userName", "status", "role"] as const).filter((what) => isOther[what]);
}

function columnsOf(actor: Actor, form: Input, { row, roles }: UserInScope) {
  const { firstName, lastName, userName, email, status: state } = form;
  const common = { firstName, lastName, userName, email, status: state };
  if (kindOf(roles).isStaff) return common;
  const { phone, mobilePhone, dentistExternalId } = form;
  const referrer = { ...common, phone, mobilePhone, dentistExternalId };
  if (!can(actor, "directory.manageAll")) return referrer;
  const { sendEndingLettersViaEdi } = form;
  return { ...referrer, ediDentistId: ediIdOf(form, [row.ediDentistId]), sendEndingLettersViaEdi };
}

/** Locks active staff, so that two who deactivate each other cannot lock everybody out. */
async function refuseLastAdmin(tx: Tx, { status: state }: Input, { row, roles }: UserInScope): Promise<void> {
  if (!kindOf(roles).isStaff || state === ACTIVE || row.status !== ACTIVE) return;
  const left = (await lockActiveStaff(tx)).filter((id) => id !== row.id);
  if (left.length === 0)
    throw new Refusal("invalid", {
      fields: { status: ["Den sidste aktive administrator kan ikke gøres inaktiv."] },
    });
}

const conflict = () =>
  new Refusal("conflict", { text: "Brugeren er ændret, siden du åbnede den. Se, hvad der er gemt nu, og prøv igen." });

const TAKEN = "En anden bruger har allerede den eksterne identitet.";

/** Throws `notInScope` and `notAllowed`. */
async function refuseOthers(
  db: DbOrTx,
  { actor, concerns }: Pick<ChangeContext, "actor" | "concerns">,
  userId: number,
): Promise<void> {
  concerns({ userId });
  if (!(await findUser(db, actor, userId)).mayChange) throw new Refusal("notAllowed");
}

/** Ends the user's sessions but one's own present one, and notifies the user by mail. */
async function endAccessAndTell(context: ChangeContext, userId: number): Promise<void> {
  const { tx, now, person, caller } = context;
  await endAccessOf(tx, userId, now, userId === person.id ? caller.sessionId : null);
  await mailAccountChange(context, await findAccount(tx, userId), ["externalAccount"], { by: person });
}

const externalIdentityEdit: Edit = {
  async read({ db, actor }, field) {
    const userId = rowIdIn(field("userId"));
    await lockAccount(db, userId);
    const { row } = await findUser(db, actor, userId);
    return { values: { externalIdentity: row.externalIdentity ?? "" } };
  },
};

/**
 * 'Gem ekstern identitet': which account at the identity provider is this user. Another one ends the binding and the
 * user's sessions. Throws `notInScope`, `notAllowed`, `wrongCurrentPassword` and `invalid` for one that is taken.
 */
export const saveExternalIdentity = external({
  name: "saveExternalIdentity",
  permission: "directory.manageAll",
  edit: externalIdentityEdit,
  input: z.object({
    userId: wholeNumber,
    externalIdentity: optionalLine(255),
    currentPassword: ownPassword,
  }),
  async prepare(context, { userId, currentPassword }) {
    await refuseOthers(context.db, context, userId);
    await askOwnPassword(context, currentPassword, "Skriv din egen adgangskode for at ændre den eksterne identitet.");
  },
  async run(context, { userId, externalIdentity }) {
    const { tx, now, actor, auditChange } = context;
    const { row } = await findUser(tx, actor, userId);
    if (hasValues(row, { externalIdentity: externalIdentity?.toLowerCase() ?? null })) return nothingChanged(context);
    if (!(await setExternalIdentity(tx, userId, externalIdentity, now)))
      throw new Refusal("invalid", { fields: { externalIdentity: [TAKEN] } });
    await endAccessAndTell(context, userId);
    auditChange([], "external identity changed");
    return succeeded("Den eksterne identitet er gemt.");
  },
});

const LINK_DAYS = 7;

/**
 * 'Lav et engangslink': binds the account that signs in at the provider with it. Works once, for seven days; a new link
 * revokes the earlier one. Throws `notInScope`, `notAllowed`, `wrongCurrentPassword` and `invalid` without a provider.
 */
export const createExternalLink = external({
  name: "createExternalLink",
  permission: "directory.manageAll",
  input: z.object({
    userId: wholeNumber,
    currentPassword: ownPassword,
  }),
  async prepare(context, { userId, currentPassword }) {
    await refuseOthers(context.db, context, userId);
    await askOwnPassword(context, currentPassword, "Skriv din egen adgangskode for at lave et link.");
  },
  async run(context, { userId }) {
    const { tx, now, portal, auditChange } = context;
    const group = groupOf((await findUser(tx, context.actor, userId)).roles);
    if (portal.identityProviders[group] === null) throw new Refusal("invalid", { text: externalTexts.noProvider });
    await revokeTokens(tx, userId, now, ["externalAccount"]);
    const token = await issueToken(tx, { purpose: "externalAccount", userId, now, minutes: LINK_DAYS * 24 * 60 });
    const origin = group === "staff" ? portal.config.adminOrigin : portal.config.publicOrigin;
    auditChange([], "a link to bind an external account made");
    return { data: { link: `${origin}${externalSignInPath(group)}?tilknyt=${token}` } };
  },
});

/**
 * 'Fjern tilknytningen': the next account with the same name is bound anew. Ends the user's sessions, except one's
 * own present one, and the links for passwords, and notifies the user by mail. Throws `notInScope` and `notAllowed`.
 */
export const releaseExternalAccount = change({
  name: "releaseExternalAccount",
  permission: "directory.manageAll",
  input: z.object({ userId: wholeNumber }),
  async run(context, { userId }) {
    const { tx, now, auditChange } = context;
    await refuseOthers(tx, context, userId);
    await releaseSubject(tx, userId, now);
    await endAccessAndTell(context, userId);
    auditChange([], "external account released");
    return succeeded("Tilknytningen er fjernet.");
  },
});

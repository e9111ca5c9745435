import { isChannelSet } from "~/features/delivery/channels/index.server";
import type { Portal } from "~/portal.server";
import { type ChangeContext, external, keyedForm, read, succeeded } from "~/access/operation.server";
import { insertUser } from "~/features/accounts/store.server";
import { newUserMail } from "~/features/accounts/account-mail.server";
import { ACTIVE } from "~/features/directory/activity";
import { accountTypes, rolesOfKind } from "./role-names";
import { z } from "zod";
import type { Person, Role } from "~/access/actor";
import { maySignInByPassword } from "~/features/accounts/password-rule";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import type { DbOrTx } from "~db/connection.server";
import { newPassword, refinePair, hashPassword, refuseSimplePassword } from "~/features/accounts/passwords.server";
import { findChosenClinic, findClinicChoices, invalidateDirectory } from "~/features/directory/operations.server";
import { paths, serverPaths } from "~/paths";
import { typedChoice } from "~/text/fields.server";
import { isLabelOrNone } from "~/text/typed-choice";
import { statusField, typedUser } from "./user.schema.server";

export const linkText = (portal: Portal, email: string, roles: Role[]): string =>
  isChannelSet(portal, "email")
    ? `Et link til at ${maySignInByPassword(portal.config, roles) ? "vælge adgangskode" : "knytte kontoen hos login-udbyderen"} er på vej til ${email}.`
    : "Mail er ikke indstillet, så der er ikke sendt noget link. Send det igen fra brugeren, når mail er indstillet.";

interface MadeUser {
  firstName: string;
  lastName: string;
  userName: string;
  email: string;
  isStaff: boolean;
  isSurgeon?: boolean;
  isSecretary: boolean;
  phone: string | null;
  mobilePhone: string | null;
  dentistExternalId: string | null;
  ediDentistId?: string | null;
  status?: number;
  clinicIds: number[];
  /** Assigned by somebody else, so it must be changed at the first sign-in. */
  passwordHash?: string | null;
  isInvited: boolean;
}

/** Creates a user, by hand or from a file; returns whether a link was mailed. Throws `userNameTaken`. */
export async function addUser(
  { tx, person, portal, outbox, now }: Pick<ChangeContext, "tx" | "person" | "portal" | "outbox" | "now">,
  { isStaff, isSurgeon = false, isSecretary, isInvited, passwordHash = null, status = ACTIVE, ...user }: MadeUser,
): Promise<{ id: number; isInvited: boolean }> {
  const roles = rolesOfKind({ isStaff, isSurgeon, isSecretary });
  const id = await insertUser(
    tx,
    { ...user, status, roles, passwordHash, mustChangePassword: passwordHash !== null, creatorId: person.id },
    now,
  );
  const isSent = isInvited && passwordHash === null && status === ACTIVE;
  const { userName, firstName, email } = user;
  const invited = { id, userName, firstName, email, roles };
  if (isSent) await outbox.email(await newUserMail(tx, portal, invited, now));
  return { id, isInvited: isSent };
}

async function clinicsForNewUser(db: DbOrTx, person: Person) {
  if (can(person, "directory.manageAll")) return findClinicChoices(db, person);
  const own = await findChosenClinic(db, person, person.primaryClinicId);
  return own ? [own] : [];
}

const REFERRER = { isStaff: false, isSurgeon: false, isSecretary: false };

export const readNewUser = read({
  name: "readNewUser",
  permission: "directory.manage",
  async run({ db, person, portal }) {
    return {
      clinics: await clinicsForNewUser(db, person),
      mayMakeStaff: can(person, "directory.manageAll"),
      canMail: isChannelSet(portal, "email"),
      hasPassword: {
        staff: maySignInByPassword(portal.config, rolesOfKind({ ...REFERRER, isStaff: true })),
        referrers: maySignInByPassword(portal.config, rolesOfKind(REFERRER)),
      },
    };
  },
});

const newUser = keyedForm
  .extend({
    ...typedUser,
    status: statusField.optional().default(ACTIVE),
    clinicId: z.coerce.number<unknown>("Vælg en klinik.").int().optional(),
    clinicIdText: typedChoice,
    newPassword: newPassword.optional(),
    repeatPassword: z.string().optional(),
  })
  .superRefine(refinePair)
  // Checked despite other errors, so that the first answer names every missing field.
  .refine(({ type, clinicId }) => type !== accountTypes.referrer || clinicId !== undefined, {
    path: ["clinicId"],
    error: ({ input }) => clinicMissing((input as { clinicIdText?: string }).clinicIdText),
    when: () => true,
  });

type NewUser = z.output<typeof newUser>;

/** Text for a password that nobody could sign in with (`PASSWORD_SIGN_IN`). */
export const NO_PASSWORD_HERE = "Der logges ikke ind med adgangskode her. Lad feltet stå tomt.";

async function hashGivenPassword(
  { person, portal }: { person: Person; portal: Portal },
  input: NewUser,
): Promise<string | null> {
  if (input.type === accountTypes.staff && !can(person, "directory.manageAll")) throw new Refusal("notAllowed");
  if (input.newPassword === undefined) return null;
  const roles = rolesOfKind({ isStaff: input.type === accountTypes.staff, isSurgeon: false, isSecretary: false });
  if (!maySignInByPassword(portal.config, roles))
    throw new Refusal("invalid", { fields: { newPassword: [NO_PASSWORD_HERE] } });
  refuseSimplePassword(input.newPassword, input);
  return hashPassword(input.newPassword);
}

/**
 * Creates a user. A password must be changed at the first sign-in; without one a link is mailed. Others than staff may
 * only create referrers of their own clinic. Throws `userNameTaken` and `weakPassword`.
 */
export const createUser = external({
  name: "createUser",
  permission: "directory.manage",
  idempotent: true,
  input: newUser,
  prepare: hashGivenPassword,
  async run(context, input, passwordHash) {
    const { id, text } = await create(context, input, passwordHash);
    return { to: serverPaths.user(id), ...succeeded(text) };
  },
});

/** 'Opret og lav en til': as `createUser`, and goes on to `to`, an empty form with the same clinic. */
export const createUserAndAnother = external({
  name: "createUserAndAnother",
  permission: "directory.manage",
  idempotent: true,
  input: newUser.safeExtend({ to: z.string().max(8000).startsWith(paths.newUser) }),
  prepare: hashGivenPassword,
  async run(context, { to, ...input }, passwordHash) {
    const { clinicId, text } = await create(context, input, passwordHash);
    const next = new URL(to, "http://portal");
    if (clinicId !== null) next.searchParams.set("klinik", String(clinicId));
    return { to: `${next.pathname}${next.search}`, ...succeeded(text, { inPage: true as const }) };
  },
});

async function create(
  context: ChangeContext,
  { type, clinicId, clinicIdText, newPassword: _given, repeatPassword: _again, formKey: _once, ...input }: NewUser,
  passwordHash: string | null,
) {
  const { tx, person, portal, concerns } = context;
  const isStaff = type === accountTypes.staff;
  const clinic = isStaff ? null : await clinicOf(tx, person, clinicId, clinicIdText);
  const { id, isInvited } = await addUser(context, {
    ...input,
    ...(isStaff ? { phone: null, mobilePhone: null, dentistExternalId: null } : {}),
    isStaff,
    clinicIds: clinic === null ? [] : [clinic],
    passwordHash,
    isInvited: true,
  });
  concerns({ userId: id });
  invalidateDirectory(context);
  const made = `${input.firstName} ${input.lastName} er oprettet.`;
  return {
    id,
    clinicId: clinic,
    text: isInvited
      ? `${made} ${linkText(portal, input.email, rolesOfKind({ isStaff, isSurgeon: false, isSecretary: false }))}`
      : made,
  };
}

const clinicMissing = (text: string | undefined) => (text ? "Vælg en klinik fra listen." : "Vælg en klinik.");

async function clinicOf(
  db: DbOrTx,
  person: Person,
  chosen: number | undefined,
  text: string | undefined,
): Promise<number> {
  const isFree = can(person, "directory.manageAll");
  const clinic = await findChosenClinic(db, person, isFree ? chosen : person.primaryClinicId);
  if (!clinic || (isFree && !isLabelOrNone(clinic.label, text)))
    throw new Refusal("invalid", { fields: { clinicId: [clinicMissing(text)] } });
  return clinic.value;
}

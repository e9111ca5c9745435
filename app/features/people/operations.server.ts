import { z } from "zod";
import { change, external, read, wholeNumber, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { endFactorOf } from "~/features/account-security/operations.server";
import { endAccessOf } from "~/features/accounts/access-token-store.server";
import { updatePassword } from "~/features/accounts/store.server";
import { newUserMail, mailAccountChange } from "~/features/accounts/account-mail.server";
import {
  askOwnPassword,
  hashPassword,
  refuseSimplePassword,
  refuseUnusedPassword,
  passwordPair,
  refinePair,
  ownPassword,
} from "~/features/accounts/passwords.server";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import { ACTIVE } from "~/features/directory/activity";
import { picksIn } from "~/features/merging/merge-words";
import { countMoving, MAX_COUNTED } from "~/features/merging/store.server";
import { fullName } from "~/text/names";
import { maySignInByPassword } from "~/features/accounts/password-rule";
import { linkText } from "./create-user.server";
import { mayBeMerged } from "./merge-picks";
import { findUsersToMerge } from "./people-store.server";
import { findUser } from "./update-user.server";
import { kindOf } from "./role-names";

/**
 * 'Send link igen': mails a new link to a user without a password. Throws `notInScope`, `notAllowed`, `conflict` if the
 * user has a password or is inactive, and `invalid` if mail cannot be sent.
 */
export const sendUserLink = change({
  name: "sendUserLink",
  permission: "directory.manage",
  idempotent: true,
  input: z.object({ userId: wholeNumber }),
  async run({ tx, actor, portal, outbox, now, concerns }, { userId }) {
    const { row, roles, mayChange } = await findUser(tx, actor, userId);
    concerns({ userId });
    if (!mayChange) throw new Refusal("notAllowed");
    const canEnter = maySignInByPassword(portal.config, roles)
      ? row.passwordHash !== null
      : row.externalSubject !== null;
    if (canEnter || row.status !== ACTIVE)
      throw new Refusal("conflict", { text: "Brugeren kan allerede logge ind, eller er ikke aktiv." });
    if (!isChannelSet(portal, "email")) throw new Refusal("invalid", { text: "Mail er ikke indstillet." });
    await outbox.email(await newUserMail(tx, portal, { ...row, roles }, now));
    return succeeded(linkText(portal, row.email, roles));
  },
});

/**
 * 'Nulstil totrinslogin' for a lost phone: ends the factor and all sessions and mails the user. Requires one's own
 * password; one's own factor is changed in the profile. Throws `notInScope`, `notAllowed`, `wrongCurrentPassword`, and
 * `conflict` without a factor.
 */
export const resetUserSecondFactor = external({
  name: "resetUserSecondFactor",
  permission: "directory.manageAll",
  input: z.object({ userId: wholeNumber, currentPassword: ownPassword }),
  async prepare(context, { userId, currentPassword }) {
    const { row, mayChange } = await findUser(context.db, context.actor, userId);
    context.concerns({ userId });
    if (!mayChange) throw new Refusal("notAllowed");
    if (row.id === context.person.id)
      throw new Refusal("invalid", { text: "Dit eget totrinslogin ændrer du under Din profil." });
    await askOwnPassword(
      context,
      currentPassword,
      "Skriv din egen adgangskode for at nulstille en andens totrinslogin.",
    );
    return row;
  },
  async run(context, _input, row) {
    context.concerns({ userId: row.id });
    if (!(await endFactorOf(context, row))) throw new Refusal("conflict", { text: "Brugeren har ikke totrinslogin." });
    return succeeded(`Totrinslogin er nulstillet for ${row.firstName} ${row.lastName}.`);
  },
});

/** The merge panel of users: their values and what would be moved. Unknown ones are absent. */
export const readUserMerge = read({
  name: "readUserMerge",
  permission: "directory.merge",
  input: z.object({ picks: z.string().nullish(), allOf: wholeNumber.nullish().catch(null) }),
  async run({ db }, { picks, allOf }) {
    const picked = await findUsersToMerge(db, picksIn(picks));
    return {
      maxCounted: MAX_COUNTED,
      allOf: picked.find(({ id }) => id === allOf)?.id ?? null,
      mayMerge: picked.length > 1 && mayBeMerged(picked),
      users: await Promise.all(
        picked.map(async (user) => ({
          id: user.id,
          version: user.version,
          name: fullName(user),
          userName: user.userName,
          createdAt: user.createdAt,
          lastActiveAt: user.lastActiveAt,
          clinics: user.clinics.map(({ name }) => name),
          firstName: user.firstName,
          lastName: user.lastName,
          email: user.email,
          phone: user.phone,
          mobilePhone: user.mobilePhone,
          status: user.status,
          dentistExternalId: user.dentistExternalId,
          ediDentistId: user.ediDentistId,
          isSecretary: user.isSecretary,
          sendEndingLettersViaEdi: user.sendEndingLettersViaEdi,
          isBound: user.externalSubject !== null,
          moving: await countMoving(db, "user", user.id),
        })),
      ),
    };
  },
});

/**
 * 'Ændre password' of another user: ends sessions and links, mails the user, and requires a new choice at the next
 * sign-in. For staff one's own password is required. Throws `notInScope`, `notAllowed`, `weakPassword` and
 * `wrongCurrentPassword`.
 */
export const setUserPassword = external({
  name: "setUserPassword",
  permission: "directory.manage",
  input: z
    .object({
      userId: wholeNumber,
      ...passwordPair,
      currentPassword: ownPassword,
    })
    .superRefine(refinePair),
  async prepare(context, { userId, newPassword, currentPassword }) {
    const { db, actor, person } = context;
    const { row, roles, mayChange } = await findUser(db, actor, userId);
    context.concerns({ userId });
    if (!mayChange) throw new Refusal("notAllowed");
    if (row.id === person.id)
      throw new Refusal("invalid", { text: "Din egen adgangskode skifter du under Din profil." });
    refuseUnusedPassword(context.portal.config, roles);
    if (kindOf(roles).isStaff)
      await askOwnPassword(
        context,
        currentPassword,
        "Skriv din egen adgangskode for at ændre en anden administrators adgangskode.",
      );
    refuseSimplePassword(newPassword, { userName: row.userName, firstName: row.firstName, lastName: row.lastName });
    return { row, passwordHash: await hashPassword(newPassword) };
  },
  async run(context, _input, { row, passwordHash }) {
    const { tx, person, now } = context;
    context.concerns({ userId: row.id });
    await updatePassword(tx, row.id, passwordHash, now, { mustChange: true });
    await endAccessOf(tx, row.id, now);
    await mailAccountChange(context, row, ["password"], { by: person });
    return succeeded("Adgangskoden er blevet ændret. Den skal skiftes, næste gang brugeren logger ind.");
  },
});

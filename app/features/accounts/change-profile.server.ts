import { z } from "zod";
import { hasAccount } from "~/access/actor";
import { external, nothingChanged, read, succeeded } from "~/access/operation.server";
import { type Edit, hasValues } from "~/access/edit.server";
import { can } from "~/access/permissions";
import { listTestMessages } from "~/features/delivery/read-messages.server";
import { newUserName, optionalPhone, personName, requiredEmail, emailKey } from "~/text/fields.server";
import { mailAccountChange } from "./account-mail.server";
import { endAccessOf } from "./access-token-store.server";
import { maySignInByPassword } from "./password-rule";
import { askOwnPassword } from "./passwords.server";
import { type AccountRow, findAccount, lockAccount, updateProfile } from "./store.server";
import type { DbOrTx } from "~db/connection.server";

/** Values of the controls of the profile's form. */
const profileValues = ({ firstName, lastName, userName, email, phone }: AccountRow) => ({
  firstName,
  lastName,
  userName,
  email,
  phone: phone ?? "",
});

/** How a form about one's own account is merged: the account is locked, and `valuesOf` tells what the form shows. */
export const ownAccountEdit = (valuesOf: (row: AccountRow) => Record<string, string>): Edit => ({
  async read({ db, actor }) {
    const id = hasAccount(actor) ? actor.id : 0;
    await lockAccount(db, id);
    return { values: valuesOf(await findAccount(db, id)) };
  },
});

export const readProfile = read({
  name: "readProfile",
  permission: "account.manage",
  async run({ db, person, portal }) {
    const row = await findAccount(db, person.id);
    return {
      ...profileValues(row),
      usesPassword: maySignInByPassword(portal.config, person.roles),
      hasShortcuts: person.hasShortcuts,
      goesOn: can(person, "referral.setStatus") ? person.goesOn : null,
      tests: can(person, "delivery.test")
        ? { ...(await listTestMessages(portal, person.id)), email: row.email, mobilePhone: row.mobilePhone ?? "" }
        : null,
    };
  },
});

/**
 * Changes one's own profile. User name and e-mail require the present password: all other sessions end, and the old and
 * new address are notified. Throws `userNameTaken` (409 'Brugernavn allerede taget.') and `wrongCurrentPassword`.
 */
export const changeProfile = external({
  name: "changeProfile",
  permission: "account.manage",
  edit: ownAccountEdit(profileValues),
  input: z.object({
    firstName: personName("Skriv dit fornavn."),
    lastName: personName("Skriv dit efternavn."),
    userName: newUserName,
    email: requiredEmail,
    phone: optionalPhone,
    currentPassword: z.string().max(200).optional(),
  }),
  async prepare(context, { userName, email, currentPassword = "" }) {
    const { db, person } = context;
    const account = await findAccount(db, person.id);
    const isOther = {
      userName: account.userName !== userName,
      email: emailKey(account.email) !== emailKey(email),
    };
    const changes = (["userName", "email"] as const).filter((what) => isOther[what]);
    if (changes.length === 0) return { account, changes };
    await askOwnPassword(
      context,
      currentPassword,
      "Skriv din nuværende adgangskode for at ændre brugernavn eller e-mail.",
    );
    return { account, changes };
  },
  async run(context, { currentPassword: _password, ...input }, { account, changes }) {
    const { tx, person, caller, now } = context;
    if (hasValues(await findAccount(tx, person.id), input)) return nothingChanged(context);
    await updateProfile(tx, person.id, input, now);
    if (changes.length > 0) {
      await endAccessOf(tx, person.id, now, caller.sessionId);
      const { email, userName } = input;
      await mailAccountChange(context, account, changes, { addresses: [account.email, email], userName });
    }
    return succeeded("Dine brugerdata er gemt.");
  },
});

export const findOwnMobilePhone = async (db: DbOrTx, userId: number): Promise<string | null> =>
  (await findAccount(db, userId)).mobilePhone;

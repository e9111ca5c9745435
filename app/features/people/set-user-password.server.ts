import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { accountMails } from "~/features/accounts/account-mail.server";
import { endAccessOf, updatePassword } from "~/features/accounts/account-administration.server";
import { askOwnPassword } from "~/features/accounts/own-password.server";
import { passwordPair, refinePair } from "~/features/accounts/password.schema.server";
import { hashPassword, refuseSimplePassword } from "~/features/accounts/password-hash.server";
import { findUser } from "./read-user.server";
import { kindOf } from "./role-names";

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
      userId: z.coerce.number().int(),
      ...passwordPair,
      currentPassword: z.string().max(200).optional().default(""),
    })
    .superRefine(refinePair),
  async prepare(context, { userId, newPassword, currentPassword }) {
    const { db, actor, person } = context;
    const { row, roles, mayChange } = await findUser(db, actor, userId);
    context.concerns({ userId });
    if (!mayChange) throw new Refusal("notAllowed");
    if (row.id === person.id)
      throw new Refusal("invalid", { text: "Din egen adgangskode skifter du under Din profil." });
    if (kindOf(roles).isStaff)
      await askOwnPassword(
        context,
        currentPassword,
        "Skriv din egen adgangskode for at ændre en anden administrators adgangskode.",
      );
    refuseSimplePassword(newPassword, { userName: row.user_name, firstName: row.first_name, lastName: row.last_name });
    return { row, passwordHash: await hashPassword(newPassword) };
  },
  async run({ tx, person, portal, outbox, now, concerns }, _input, { row, passwordHash }) {
    concerns({ userId: row.id });
    await updatePassword(tx, row.id, passwordHash, now, { mustChange: true });
    await endAccessOf(tx, row.id, now);
    await outbox.emails(await accountMails(tx, portal, row, ["password"], [row.email], { now, by: person }));
    return {
      flash: {
        tone: "success" as const,
        text: "Adgangskoden er blevet ændret. Den skal skiftes, næste gang brugeren logger ind.",
      },
    };
  },
});

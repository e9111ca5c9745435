import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { endFactorOf } from "~/features/account-security/end-factor.server";
import { askOwnPassword } from "~/features/accounts/own-password.server";
import { findUser } from "./read-user.server";

/**
 * 'Nulstil totrinslogin' for a lost phone: ends the factor and all sessions and mails the user. Requires one's own
 * password; one's own factor is changed in the profile. Throws `notInScope`, `notAllowed`, `wrongCurrentPassword`, and
 * `conflict` without a factor.
 */
export const resetUserSecondFactor = external({
  name: "resetUserSecondFactor",
  permission: "directory.manageAll",
  input: z.object({ userId: z.coerce.number().int(), currentPassword: z.string().max(200).optional().default("") }),
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
    return {
      flash: { tone: "success" as const, text: `Totrinslogin er nulstillet for ${row.first_name} ${row.last_name}.` },
    };
  },
});

import { z } from "zod";
import { external } from "~/access/operation.server";
import { beginSession } from "~/access/sessions.server";
import { endSessionsOf } from "~/access/session-store.server";
import { accountMails } from "./account-mail.server";
import { askOwnPassword } from "./own-password.server";
import { passwordPair, refinePair } from "./password.schema.server";
import { hashPassword, refuseSimplePassword } from "./password-hash.server";
import { findAccount, updatePassword } from "./store.server";

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
    const { person, db } = context;
    await askOwnPassword(context, input.currentPassword, "Skriv din nuværende adgangskode.");
    const account = await findAccount(db, person.id);
    refuseSimplePassword(input.newPassword, person);
    return { passwordHash: await hashPassword(input.newPassword), account };
  },
  async run({ tx, now, person, caller, outbox, portal }, _input, { passwordHash, account }) {
    await updatePassword(tx, person.id, passwordHash, now);
    await outbox.emails(await accountMails(tx, portal, account, ["password"], [account.email], { now }));
    await endSessionsOf(tx, person.id, null);
    return {
      session: await beginSession(tx, person, now, { device: caller.device ?? null }),
      to: "/management/change-password?skiftet=1",
    };
  },
});

import { z } from "zod";
import { external, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { beginSession } from "~/access/sessions.server";
import { endSessionsOf } from "~/access/session-store.server";
import { throttle } from "~/access/throttle.server";
import { accountMails } from "./account-mail.server";
import { passwordPair, refinePair } from "./password.schema.server";
import { hashPassword, refuseSimplePassword, verifyPassword } from "./password-hash.server";
import { returnPath } from "./return-path.schema.server";
import { findAccount, updatePassword } from "./user-store.server";

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
  async prepare({ portal, person, db }, { newPassword }) {
    // Afterwards the present password is required (change-password.server.ts).
    if (!person.mustChangePassword) throw new Refusal("notAllowed");
    await throttle(portal, "ownPassword", String(person.id));
    const account = await findAccount(db, person.id);
    refuseSimplePassword(newPassword, person);
    if (await verifyPassword(account.password_hash, newPassword))
      throw new Refusal("weakPassword", {
        text: "Vælg en anden adgangskode end den, du har fået.",
        fields: { newPassword: ["Vælg en anden adgangskode end den, du har fået."] },
      });
    return { account, passwordHash: await hashPassword(newPassword) };
  },
  async run({ tx, now, person, caller, outbox, portal }, { to }, { account, passwordHash }) {
    await updatePassword(tx, person.id, passwordHash, now);
    await outbox.emails(await accountMails(tx, portal, account, ["password"], [account.email], { now }));
    await endSessionsOf(tx, person.id, null);
    return { session: await beginSession(tx, person, now, { device: caller.device ?? null }), to };
  },
});

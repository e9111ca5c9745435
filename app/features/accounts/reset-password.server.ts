import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { endSessionsOf } from "~/access/sessions.server";
import { throttle } from "~/access/throttle.server";
import { passwordPair, refinePair } from "./password.schema.server";
import { hashPassword, refuseSimplePassword } from "./password-hash.server";
import { useToken } from "./token-store.server";
import { findByUserName, updatePassword } from "./user-store.server";

/** A part that a mail program cut off or stretched opens no account: that is a link that does not work, and is told as one. */
const partOfLink = z.string().max(100).catch("");

/** Chooses a new password by the link from the mail. Throws `tokenInvalid` and `weakPassword`. Ends all the person's sessions. */
export const resetPassword = external({
  name: "resetPassword",
  permission: "public",
  input: z.object({ userName: partOfLink, token: partOfLink, ...passwordPair }).superRefine(refinePair),
  async prepare({ portal, caller, db }, input) {
    await throttle(portal, "resetAddress", caller.address);
    const user = await findByUserName(db, input.userName);
    if (!user || user.status !== 1) throw new Refusal("tokenInvalid");
    refuseSimplePassword(input.newPassword, { userName: user.user_name, firstName: user.first_name, lastName: user.last_name });
    return { user, passwordHash: await hashPassword(input.newPassword) };
  },
  async run({ tx, now }, input, { user, passwordHash }) {
    const valid = await useToken(tx, { purpose: "passwordReset", token: input.token, userId: user.id, now });
    if (!valid) throw new Refusal("tokenInvalid");
    await updatePassword(tx, user.id, passwordHash, now);
    await endSessionsOf(tx, user.id, null);
    return { to: `/login?${new URLSearchParams({ userName: user.user_name, skiftet: "1" }).toString()}` };
  },
});

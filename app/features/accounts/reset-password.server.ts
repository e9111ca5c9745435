import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { endSessionsOf } from "~/access/session-store.server";
import { throttleAddress } from "~/access/throttle.server";
import { searchKey } from "~/text/names";
import { passwordPair, refinePair } from "./password.schema.server";
import { hashPassword, refuseSimplePassword } from "./password-hash.server";
import { accountMails } from "./account-mail.server";
import { findSignInUser } from "./sign-in-user.server";
import { findTokenUser, useToken } from "./token-store.server";
import { updatePassword } from "./user-store.server";
import { line } from "~/text/fields.server";

/** Mail programs may truncate a link; a broken part makes the link invalid. */
const partOfLink = z.string().max(100).catch("");

/** Chooses a new password by a mailed link and ends all sessions. Throws `tokenInvalid` and `weakPassword`. */
export const resetPassword = external({
  name: "resetPassword",
  permission: "public",
  input: z.object({ userName: line.max(100).catch(""), token: partOfLink, ...passwordPair }).superRefine(refinePair),
  async prepare({ portal, caller, db, concerns, now }, input) {
    concerns({ account: searchKey(input.userName) });
    await throttleAddress(portal, "resetAddress", caller.address);
    // The token is checked first, so that the answer does not reveal whether the account exists.
    const userId = await findTokenUser(db, { token: input.token, now });
    const user = userId === null ? undefined : await findSignInUser(db, input.userName, caller.site);
    if (!user || user.id !== userId || user.status !== 1) throw new Refusal("tokenInvalid");
    concerns({ userId: user.id });
    refuseSimplePassword(input.newPassword, {
      userName: user.user_name,
      firstName: user.first_name,
      lastName: user.last_name,
    });
    return { user, passwordHash: await hashPassword(input.newPassword) };
  },
  async run({ tx, now, outbox, portal }, input, { user, passwordHash }) {
    const valid = await useToken(tx, { token: input.token, userId: user.id, now });
    if (!valid) throw new Refusal("tokenInvalid");
    await updatePassword(tx, user.id, passwordHash, now);
    await endSessionsOf(tx, user.id, null);
    await outbox.emails(await accountMails(tx, portal, user, ["password"], [user.email], { now }));
    return { to: `/login?${new URLSearchParams({ userName: user.user_name, skiftet: "1" }).toString()}` };
  },
});

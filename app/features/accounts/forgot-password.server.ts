import { z } from "zod";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { Caller } from "~/access/caller";
import { networkOf } from "~/access/network.server";
import { throttle, throttleAddress } from "~/access/throttle.server";
import type { Portal } from "~/portal.server";
import { searchKey } from "~/text/names";
import { cleanLine } from "~/text/normalise";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { mayChooseByMail } from "./mail-password-links.server";
import { NO_MAIL } from "./password";
import { insertPasswordRequest } from "./password-request-store.server";
import { passwordResetMail } from "./password-reset-mail.server";
import { findSignInUser } from "./sign-in-user.server";

/**
 * Sends a password link to the account of a user name, or to every account of an e-mail address. Throws
 * `accountUnknown` for a name, throttled; an address gets the same answer whether known or not (docs/decisions/0051).
 * Accounts get a limited number of mails an hour, so that nobody can flood a mailbox. Throws `invalid` if the portal
 * cannot send mail.
 */
export const forgotPassword = external({
  name: "forgotPassword",
  permission: "public",
  input: z.object({
    userName: z.string({ error: "Skriv dit brugernavn eller din e-mail." }).overwrite(cleanLine).max(254),
  }),
  async prepare({ portal, caller, db, concerns }, { userName }) {
    if (!isChannelSet(portal, "email")) throw new Refusal("invalid", { text: NO_MAIL });
    const account = searchKey(userName);
    concerns({ account });
    await throttleAddress(portal, "forgotAddress", caller.address);
    await throttle(portal, "forgotAccount", `${caller.site}:${networkOf(caller.address)}:${account}`);
    const isAddress = userName.includes("@");
    // A job looks the address up, so that the response and its time are the same for unknown ones.
    const user = isAddress ? undefined : await findSignInUser(db, userName, caller.site);
    if (user) concerns({ userId: user.id });
    if (!isAddress && !(user && mayChooseByMail(user))) throw new Refusal("accountUnknown");
    return { user, isAddress, isMailed: await hasMailsLeft(portal, caller, account) };
  },
  async run({ tx, now, portal, outbox, caller }, { userName }, { user, isAddress, isMailed }) {
    if (isMailed && isAddress)
      await insertPasswordRequest(tx, { site: caller.site, email: userName, requestedAt: now });
    if (isMailed && user) await outbox.email(await passwordResetMail(tx, portal, user, now));
    return { data: { sent: true, isAddress } };
  },
});

function hasMailsLeft(portal: Portal, { site }: Caller, account: string): Promise<boolean> {
  return throttle(portal, "forgotMails", `${site}:${account}`).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

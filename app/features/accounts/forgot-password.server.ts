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
 * Sends a link to choose a new password, to whoever has the user name, or to every account of an e-mail address. Throws `accountUnknown`
 * for a name, behind the throttle; an address is answered alike whether it is known or not (docs/decisions/0051). An account that has had its mails of the
 * hour gets no more, whoever asks, and the answer is the same: nobody can keep its owner from asking, or fill their mailbox. Throws `invalid`
 * where the portal can send no mail.
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
    // An address is looked up by a job: what the answer does, and how long it takes, is the same for one that nobody has.
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

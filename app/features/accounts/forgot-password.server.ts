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
import { NO_MAIL } from "./password";
import { passwordResetMail } from "./password-reset-mail.server";
import { findSignInUser, findSignInUsersByEmail } from "./sign-in-user.server";

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
    const named = await findSignInUser(db, userName, caller.site);
    const isAddress = userName.includes("@");
    const found = named ? [named] : isAddress ? await findSignInUsersByEmail(db, userName, caller.site) : [];
    const users = found.filter(({ status, email }) => status === 1 && email !== "");
    if (found[0]) concerns({ userId: found[0].id });
    if (users.length === 0 && !isAddress) throw new Refusal("accountUnknown");
    return { users: (await hasMailsLeft(portal, caller, account)) ? users : [], isAddress };
  },
  async run({ tx, now, portal, outbox }, _input, { users, isAddress }) {
    for (const user of users) await outbox.email(await passwordResetMail(tx, portal, user, now));
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

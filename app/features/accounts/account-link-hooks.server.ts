import { Refusal } from "~/access/refusal";
import type { ChangeContext } from "~/access/operation.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import type { KindHooks, SettledMessage } from "~/features/delivery/port";
import { newUserMail } from "./account-mail.server";
import { passwordResetMail } from "./passwords.server";
import { type AccountRow, findAccount } from "./store.server";

type Write = (context: ChangeContext, account: AccountRow, resendsId: number) => Promise<void>;

/**
 * Retrying a link creates a new one for the user's present address. A first link is dropped once the user has a
 * password.
 */
const linkHooks = (isNeeded: (account: AccountRow) => boolean, write: Write): KindHooks => ({
  async resendWays(portal, { userId, channel }: SettledMessage) {
    const account = userId === null ? null : await findAccount(portal.db, userId);
    return account !== null && mayGet(account) && isNeeded(account) && isChannelSet(portal, channel) ? [channel] : [];
  },
  async resend(context, { id, userId }) {
    const account = userId === null ? null : await findAccount(context.tx, userId);
    if (account === null || !mayGet(account) || !isNeeded(account))
      throw new Refusal("conflict", { text: "Brugeren er ikke aktiv, eller har valgt en adgangskode." });
    await write(context, account, id);
  },
});

const mayGet = ({ status, email }: AccountRow) => status === 1 && email !== "";

export const newUserHooks = linkHooks(
  ({ password_hash: hash }) => hash === null,
  async ({ tx, portal, outbox, now }, { id, user_name: userName, first_name: firstName, email, roles }, resendsId) => {
    await outbox.email({
      ...(await newUserMail(tx, portal, { id, userName, firstName, email, roles }, now)),
      resendsId,
    });
  },
);

export const passwordResetHooks = linkHooks(
  () => true,
  async ({ tx, portal, outbox, now }, account, resendsId) => {
    await outbox.email({ ...(await passwordResetMail(tx, portal, account, now)), resendsId });
  },
);

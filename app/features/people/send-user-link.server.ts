import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { newUserMail } from "~/features/accounts/new-user-mail.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { ACTIVE } from "~/features/directory/activity";
import { linkText } from "./link-text.server";
import { findUser } from "./read-user.server";

/**
 * 'Send link igen': mails a new link to a user without a password. Throws `notInScope`, `notAllowed`, `conflict` if the
 * user has a password or is inactive, and `invalid` if mail cannot be sent.
 */
export const sendUserLink = change({
  name: "sendUserLink",
  permission: "directory.manage",
  idempotent: true,
  input: z.object({ userId: z.coerce.number().int() }),
  async run({ tx, actor, portal, outbox, now, concerns }, { userId }) {
    const { row, roles, mayChange } = await findUser(tx, actor, userId);
    concerns({ userId });
    if (!mayChange) throw new Refusal("notAllowed");
    if (row.password_hash !== null || row.status !== ACTIVE)
      throw new Refusal("conflict", { text: "Brugeren har en adgangskode, eller er ikke aktiv." });
    if (!isChannelSet(portal, "email")) throw new Refusal("invalid", { text: "Mail er ikke indstillet." });
    const { id, user_name: userName, first_name: firstName, email } = row;
    await outbox.email(await newUserMail(tx, portal, { id, userName, firstName, email, roles }, now));
    return { flash: { tone: "success" as const, text: linkText(portal, email) } };
  },
});

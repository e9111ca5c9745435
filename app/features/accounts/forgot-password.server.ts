import { z } from "zod";
import { addMinutes } from "date-fns";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { throttle } from "~/access/throttle.server";
import { searchKey } from "~/text/names";
import { mailComposer } from "~/features/delivery/templates/compose-mail.server";
import { passwordLink } from "./password-link.server";
import { issueToken } from "./token-store.server";
import { findSignInUser, findSignInUsersByEmail } from "./sign-in-user.server";

const VALID_MINUTES = 120;

/**
 * Sends a link to choose a new password, to whoever has the user name, or to every account of an e-mail address. Throws `accountUnknown`
 * for a name, behind the throttle; an address is answered alike whether it is known or not (docs/decisions/0051).
 */
export const forgotPassword = external({
  name: "forgotPassword",
  permission: "public",
  input: z.object({ userName: z.string({ error: "Skriv dit brugernavn eller din e-mail." }).trim().max(254) }),
  async prepare({ portal, caller, db, concerns }, { userName }) {
    const account = searchKey(userName);
    concerns({ account });
    await throttle(portal, "forgotAddress", caller.address);
    await throttle(portal, "forgotAccount", `${caller.site}:${account}`);
    const named = await findSignInUser(db, userName, caller.site);
    const isAddress = userName.includes("@");
    const found = named ? [named] : isAddress ? await findSignInUsersByEmail(db, userName, caller.site) : [];
    const users = found.filter(({ status, email }) => status === 1 && email !== "");
    if (found[0]) concerns({ userId: found[0].id });
    if (users.length === 0 && !isAddress) throw new Refusal("accountUnknown");
    return { users, isAddress };
  },
  async run({ tx, now, portal, outbox }, _input, { users, isAddress }) {
    const { productName, supportEmail, supportPhone } = portal.config;
    const compose = await mailComposer(tx, "passwordReset", { productName });
    for (const user of users) {
      const token = await issueToken(tx, { purpose: "passwordReset", userId: user.id, now, minutes: VALID_MINUTES });
      const mail = compose({
        navn: user.first_name,
        brugernavn: user.user_name,
        adgangslink: passwordLink(portal.config, { userName: user.user_name, roles: user.roles, token }),
        timer: String(VALID_MINUTES / 60),
        portal: productName,
        support: supportEmail,
        supporttelefon: supportPhone,
      });
      const expiresAt = addMinutes(now, VALID_MINUTES);
      await outbox.email({ kind: "passwordReset", to: user.email, userId: user.id, expiresAt, ...mail });
    }
    return { data: { sent: true, isAddress } };
  },
});

import { z } from "zod";
import { isStaff, type Person } from "~/access/actor";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { throttle } from "~/access/throttle.server";
import { searchKey } from "~/text/names";
import { passwordResetMail } from "./password-reset-mail.server";
import { issueToken } from "./token-store.server";
import { findByUserName } from "./user-store.server";

const VALID_MINUTES = 120;

/** Sends a link to choose a new password. Throws `accountUnknown` (410, specification 3 §8), behind the throttle. */
export const forgotPassword = external({
  name: "forgotPassword",
  permission: "public",
  input: z.object({ userName: z.string({ error: "Skriv dit brugernavn." }).max(100) }),
  async prepare({ portal, caller, db }, input) {
    await throttle(portal, "forgotAddress", caller.address);
    await throttle(portal, "forgotAccount", searchKey(input.userName));
    const user = await findByUserName(db, input.userName);
    if (!user || user.status !== 1 || user.email === "") throw new Refusal("accountUnknown");
    return user;
  },
  async run({ tx, now, portal, outbox }, _input, user) {
    const token = await issueToken(tx, { purpose: "passwordReset", userId: user.id, now, minutes: VALID_MINUTES });
    const origin = isStaff({ kind: "person", roles: user.roles } as Person) ? portal.config.adminOrigin : portal.config.publicOrigin;
    const query = new URLSearchParams({ userName: user.user_name, token });
    const mail = passwordResetMail({
      name: user.first_name,
      link: `${origin}/change-password?${query.toString()}`,
      hours: VALID_MINUTES / 60,
      productName: portal.config.productName,
      supportEmail: portal.config.supportEmail,
    });
    await outbox.email({ kind: "passwordReset", to: user.email, userId: user.id, ...mail });
    return { found: { sent: true } };
  },
});

import { addMinutes } from "date-fns";
import type { Tx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";
import { passwordLink } from "./password-link.server";
import { type AccountRow, issueToken } from "./store.server";

/** Minutes that a link to a new password is valid. */
export const VALID_MINUTES = 120;

/** The mail by which a user chooses a new password, with a link of its own. */
export async function passwordResetMail(tx: Tx, { config }: Pick<Portal, "config">, user: AccountRow, now: Date) {
  const { productName, supportEmail, supportPhone } = config;
  const token = await issueToken(tx, { purpose: "passwordReset", userId: user.id, now, minutes: VALID_MINUTES });
  const mail = await composeMail(tx, "passwordReset", {
    config,
    values: {
      navn: user.first_name,
      brugernavn: user.user_name,
      adgangslink: passwordLink(config, { userName: user.user_name, roles: user.roles, token }),
      timer: String(VALID_MINUTES / 60),
      portal: productName,
      support: supportEmail,
      supporttelefon: supportPhone,
    },
  });
  const expiresAt = addMinutes(now, VALID_MINUTES);
  return { ...mail, kind: "passwordReset" as const, to: user.email, userId: user.id, expiresAt };
}

import { addMinutes } from "date-fns";
import type { Tx } from "~db/connection.server";
import { mailComposer } from "~/features/delivery/templates/compose-mail.server";
import type { EmailToSend } from "~/features/delivery/outbox-store.server";
import type { Portal } from "~/portal.server";
import { passwordLink } from "./password-link.server";
import { issueToken } from "./token-store.server";
import type { AccountRow } from "./user-store.server";

const VALID_MINUTES = 120;

/** The mails by which some users choose a new password, each with a link of its own. */
export async function passwordResetMails(
  tx: Tx,
  { config }: Pick<Portal, "config">,
  users: readonly AccountRow[],
  now: Date,
): Promise<EmailToSend[]> {
  const { productName, supportEmail, supportPhone } = config;
  const compose = await mailComposer(tx, "passwordReset", { productName });
  const expiresAt = addMinutes(now, VALID_MINUTES);
  const mails: EmailToSend[] = [];
  for (const user of users) {
    const token = await issueToken(tx, { purpose: "passwordReset", userId: user.id, now, minutes: VALID_MINUTES });
    const mail = compose({
      navn: user.first_name,
      brugernavn: user.user_name,
      adgangslink: passwordLink(config, { userName: user.user_name, roles: user.roles, token }),
      timer: String(VALID_MINUTES / 60),
      portal: productName,
      support: supportEmail,
      supporttelefon: supportPhone,
    });
    mails.push({ kind: "passwordReset", to: user.email, userId: user.id, expiresAt, ...mail });
  }
  return mails;
}

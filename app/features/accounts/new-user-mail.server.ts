import type { Tx } from "~db/connection.server";
import { addMinutes } from "date-fns";
import type { Role } from "~/access/actor";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";
import { passwordLink } from "./password-link.server";
import { issueToken } from "./store.server";

const VALID_DAYS = 7;

interface NewAccount {
  id: number;
  userName: string;
  firstName: string;
  email: string;
  roles: Role[];
}

export async function newUserMail(tx: Tx, { config }: Pick<Portal, "config">, user: NewAccount, now: Date) {
  const minutes = VALID_DAYS * 24 * 60;
  const token = await issueToken(tx, { purpose: "newUser", userId: user.id, now, minutes });
  const { productName, supportEmail, supportPhone } = config;
  const mail = await composeMail(tx, "newUser", {
    config,
    values: {
      navn: user.firstName,
      brugernavn: user.userName,
      adgangslink: passwordLink(config, { ...user, token }),
      dage: String(VALID_DAYS),
      portal: productName,
      support: supportEmail,
      supporttelefon: supportPhone,
    },
  });
  const expiresAt = addMinutes(now, minutes);
  return { ...mail, kind: "newUser" as const, to: user.email, userId: user.id, expiresAt };
}

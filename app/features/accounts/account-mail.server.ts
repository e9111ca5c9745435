import type { Tx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";
import { showDateTime, toMoment } from "~/text/dates";
import { emailKey } from "~/text/email.server";

const CHANGES = {
  email: "e-mailadressen",
  userName: "brugernavnet",
  password: "adgangskoden",
  secondFactor: "totrinslogin",
} as const;

export type AccountChange = keyof typeof CHANGES;

/**
 * Notifies a person at every old and new address that a sign-in detail changed. Empty addresses are skipped. `userName`
 * is the new one; `by` names somebody else who made the change.
 */
export async function accountMails(
  tx: Tx,
  { config }: Pick<Portal, "config">,
  user: { id: number; first_name: string },
  changes: AccountChange[],
  addresses: string[],
  { now, userName, by }: { now: Date; userName?: string; by?: { firstName: string; lastName: string } },
) {
  const words = (change: AccountChange) =>
    change === "userName" && userName !== undefined ? `${CHANGES.userName} (nu ${userName})` : CHANGES[change];
  const what = changes.map(words).join(" og ");
  const at = showDateTime(toMoment(now));
  const { productName, supportEmail, supportPhone } = config;
  const mail = await composeMail(tx, "accountChanged", {
    config,
    values: {
      navn: user.first_name,
      ændring: what.charAt(0).toUpperCase() + what.slice(1),
      tidspunkt: by === undefined ? at : `${at} af ${by.firstName} ${by.lastName}`,
      portal: productName,
      support: supportEmail,
      supporttelefon: supportPhone,
    },
  });
  const to = [...new Set(addresses.map((address) => emailKey(address)))].filter((address) => address !== "");
  return to.map((address) => ({ ...mail, kind: "accountChanged" as const, to: address, userId: user.id }));
}

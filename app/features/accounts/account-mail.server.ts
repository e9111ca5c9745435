import type { Tx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";
import { showDateTime, toMoment } from "~/text/dates";

const CHANGES = {
  email: "e-mailadressen",
  userName: "brugernavnet",
  password: "adgangskoden",
  secondFactor: "totrinslogin",
} as const;

export type AccountChange = keyof typeof CHANGES;

/**
 * Mails a person that something by which they sign in has been changed, to every address that is theirs or was, so that who did not do it
 * themselves learns of it. An empty address gets none.
 */
export async function accountMails(
  tx: Tx,
  { config }: Pick<Portal, "config">,
  user: { id: number; first_name: string },
  changes: AccountChange[],
  addresses: string[],
  { now }: { now: Date },
) {
  const what = changes.map((change) => CHANGES[change]).join(" og ");
  const { productName, supportEmail, supportPhone } = config;
  const mail = await composeMail(tx, "accountChanged", {
    productName,
    values: {
      navn: user.first_name,
      ændring: what.charAt(0).toUpperCase() + what.slice(1),
      tidspunkt: showDateTime(toMoment(now)),
      portal: productName,
      support: supportEmail,
      supporttelefon: supportPhone,
    },
  });
  const to = [...new Set(addresses.map((address) => address.trim().toLowerCase()))].filter((address) => address !== "");
  return to.map((address) => ({ ...mail, kind: "accountChanged" as const, to: address, userId: user.id }));
}

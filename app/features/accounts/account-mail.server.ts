import { renderMail } from "~/features/delivery/render-mail.server";
import type { Portal } from "~/portal.server";
import { showDateTime, toMoment } from "~/text/dates";

const CHANGES = { email: "e-mailadressen", userName: "brugernavnet", password: "adgangskoden" } as const;

export type AccountChange = keyof typeof CHANGES;

/**
 * Mails a person that something by which they sign in has been changed, to every address that is theirs or was, so that who did not do it
 * themselves learns of it. An empty address gets none.
 */
export function accountMails(
  { config }: Pick<Portal, "config">,
  user: { id: number; first_name: string },
  changes: AccountChange[],
  addresses: string[],
  { now }: { now: Date },
) {
  const what = changes.map((change) => CHANGES[change]).join(" og ");
  const mail = renderMail({
    productName: config.productName,
    subject: `Din profil i ${config.productName} er ændret`,
    paragraphs: [
      `Hej ${user.first_name}.`,
      `${what.charAt(0).toUpperCase()}${what.slice(1)} til din profil i ${config.productName} blev ændret ${showDateTime(toMoment(now))}.`,
      `Var det ikke dig, så skriv straks til ${config.supportEmail}, eller ring på ${config.supportPhone}.`,
    ],
  });
  const to = [...new Set(addresses.map((address) => address.trim().toLowerCase()))].filter((address) => address !== "");
  return to.map((address) => ({ ...mail, kind: "accountChanged" as const, to: address, userId: user.id }));
}

import { addMinutes } from "date-fns";
import { issueToken } from "./access-token-store.server";
import type { Tx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";
import { writeDateTime, toMoment } from "~/text/dates";
import { emailKey } from "~/text/fields.server";
import { can } from "~/access/permissions";
import { externalSignInPath, serverPaths } from "~/paths";
import { answerSentence } from "~/features/delivery/templates/template-kinds";
import { readLetterhead } from "~/features/settings/settings.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { groupOf, maySignInByPassword } from "./password-rule";
import type { ChangeContext } from "~/access/operation-context.server";
import type { AccountRow } from "./store.server";

const CHANGES = {
  email: "e-mailadressen",
  userName: "brugernavnet",
  password: "adgangskoden",
  secondFactor: "totrinslogin",
  externalAccount: "tilknytningen til en ekstern konto",
} as const;

type AccountChange = keyof typeof CHANGES;

/**
 * Notifies a person that a sign-in detail changed, at every old and new address. Empty ones are skipped. `userName` is
 * the new one; `by` names somebody else who made the change.
 */
export async function mailAccountChange(
  { tx, portal: { config }, outbox, now }: Pick<ChangeContext, "tx" | "portal" | "outbox" | "now">,
  user: { id: number; firstName: string; email: string },
  changes: AccountChange[],
  {
    addresses = [user.email],
    userName,
    by,
  }: { addresses?: string[]; userName?: string; by?: { firstName: string; lastName: string } | undefined } = {},
): Promise<void> {
  const words = (change: AccountChange) =>
    change === "userName" && userName !== undefined ? `${CHANGES.userName} (nu ${userName})` : CHANGES[change];
  const what = changes.map(words).join(" og ");
  const at = writeDateTime(toMoment(now));
  const mail = await composeMail(tx, "accountChanged", {
    config,
    values: {
      navn: user.firstName,
      ændring: what.charAt(0).toUpperCase() + what.slice(1),
      tidspunkt: by === undefined ? at : `${at} af ${by.firstName} ${by.lastName}`,
    },
  });
  const to = [...new Set(addresses.map((address) => emailKey(address)))];
  await outbox.emails(to.map((address) => ({ ...mail, kind: "accountChanged", to: address, userId: user.id })));
}

const VALID_DAYS = 7;

type Addressee = Pick<AccountRow, "id" | "userName" | "firstName" | "email" | "roles">;
export async function newUserMail(tx: Tx, { config }: Pick<Portal, "config">, user: Addressee, now: Date) {
  const minutes = VALID_DAYS * 24 * 60;
  const receiver = { kind: "newUser" as const, to: user.email, userId: user.id, expiresAt: addMinutes(now, minutes) };
  if (!maySignInByPassword(config, user.roles)) return { ...(await bindingMail(tx, config, user, now)), ...receiver };
  const token = await issueToken(tx, { purpose: "newUser", userId: user.id, now, minutes });
  const mail = await composeMail(tx, "newUser", {
    config,
    values: {
      navn: user.firstName,
      brugernavn: user.userName,
      adgangslink: passwordLink(config, user, token),
      dage: String(VALID_DAYS),
    },
  });
  return { ...mail, ...receiver };
}

/** To a new user who signs in at the identity provider alone: the link binds the account there. */
async function bindingMail(tx: Tx, config: Portal["config"], user: Addressee, now: Date) {
  const group = groupOf(user.roles);
  const purpose = "externalAccount";
  const token = await issueToken(tx, { purpose, userId: user.id, now, minutes: VALID_DAYS * 24 * 60 });
  const origin = group === "staff" ? config.adminOrigin : config.publicOrigin;
  const label = (group === "staff" ? config.signIn.staff : config.signIn.referrers)?.label ?? "Log ind";
  return renderMail({
    productName: config.productName,
    subject: `Du er oprettet i ${config.productName}`,
    paragraphs: [
      `Hej ${user.firstName}.`,
      `Du er oprettet som bruger i ${config.productName}. Dit brugernavn er ${user.userName}. Der logges ikke ind med adgangskode: knyt din egen konto hos login-udbyderen til brugeren her inden for ${VALID_DAYS} dage:`,
      { link: `${origin}${externalSignInPath(group)}?tilknyt=${token}`, text: label },
      `Er linket udløbet, eller er du i tvivl, så skriv til ${config.supportEmail}.`,
    ],
    answer: answerSentence(await readLetterhead(tx, config), "user"),
  });
}

export async function mergedMail(
  tx: Tx,
  { config }: Pick<Portal, "config">,
  merged: Pick<AccountRow, "id" | "firstName" | "userName" | "email">,
  into: Pick<AccountRow, "userName">,
) {
  const mail = await composeMail(tx, "accountMerged", {
    config,
    values: { navn: merged.firstName, brugernavn: merged.userName, samletprofil: into.userName },
  });
  return { ...mail, kind: "accountMerged" as const, to: merged.email, userId: merged.id };
}

export function passwordLink(
  { adminOrigin, publicOrigin }: Pick<Portal["config"], "adminOrigin" | "publicOrigin">,
  { userName, roles }: Pick<AccountRow, "userName" | "roles">,
  token: string,
): string {
  const origin = can({ kind: "person", roles }, "site.staff") ? adminOrigin : publicOrigin;
  return `${origin}${serverPaths.resetPassword}?${new URLSearchParams({ userName, token }).toString()}`;
}

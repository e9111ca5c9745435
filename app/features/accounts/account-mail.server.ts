import { addMinutes } from "date-fns";
import { issueToken } from "./access-token-store.server";
import type { Tx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";
import { writeDateTime, toMoment } from "~/text/dates";
import { emailKey } from "~/text/fields.server";
import type { Role } from "~/access/actor";
import { can } from "~/access/permissions";
import { serverPaths } from "~/paths";

const CHANGES = {
  email: "e-mailadressen",
  userName: "brugernavnet",
  password: "adgangskoden",
  secondFactor: "totrinslogin",
  externalAccount: "tilknytningen til en ekstern konto",
} as const;

type AccountChange = keyof typeof CHANGES;

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
  const at = writeDateTime(toMoment(now));
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

interface MergedAccount {
  id: number;
  first_name: string;
  user_name: string;
  email: string;
}

export async function mergedMail(
  tx: Tx,
  { config }: Pick<Portal, "config">,
  merged: MergedAccount,
  into: { user_name: string },
) {
  const { productName, supportEmail, supportPhone } = config;
  const mail = await composeMail(tx, "accountMerged", {
    config,
    values: {
      navn: merged.first_name,
      brugernavn: merged.user_name,
      samletprofil: into.user_name,
      portal: productName,
      support: supportEmail,
      supporttelefon: supportPhone,
    },
  });
  return { ...mail, kind: "accountMerged" as const, to: merged.email, userId: merged.id };
}

export function passwordLink(
  { adminOrigin, publicOrigin }: Pick<Portal["config"], "adminOrigin" | "publicOrigin">,
  { userName, roles, token }: { userName: string; roles: Role[]; token: string },
): string {
  const origin = can({ kind: "person", roles }, "site.staff") ? adminOrigin : publicOrigin;
  return `${origin}${serverPaths.resetPassword}?${new URLSearchParams({ userName, token }).toString()}`;
}

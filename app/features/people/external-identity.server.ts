import { issueToken, revokeTokens, endAccessOf } from "~/features/accounts/access-token-store.server";
import { z } from "zod";
import { change, type ChangeContext, external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { Person } from "~/access/actor";
import { accountMails } from "~/features/accounts/account-mail.server";
import { findAccount } from "~/features/accounts/store.server";
import { askOwnPassword } from "~/features/accounts/passwords.server";
import { releaseSubject, setExternalIdentity } from "~/features/accounts/external-identity-store.server";
import type { DbOrTx } from "~db/connection.server";
import { externalTexts } from "~/features/accounts/external-sign-in-texts";
import { groupOf } from "~/features/accounts/password-rule";
import { externalSignInPath } from "~/paths";
import { optionalLine } from "~/text/fields.server";
import { findUser } from "./update-user.server";

const TAKEN = "En anden bruger har allerede den eksterne identitet.";

/** Throws `notInScope` and `notAllowed`. */
async function refuseOthers(
  db: DbOrTx,
  { actor, concerns }: Pick<ChangeContext, "actor" | "concerns">,
  userId: number,
): Promise<void> {
  concerns({ userId });
  if (!(await findUser(db, actor, userId)).mayChange) throw new Refusal("notAllowed");
}

/** The person hears of it by mail. */
async function tellOf({ tx, now, portal, outbox, person }: ChangeContext & { person: Person }, userId: number) {
  const user = await findAccount(tx, userId);
  await outbox.emails(await accountMails(tx, portal, user, ["externalAccount"], [user.email], { now, by: person }));
}

/**
 * 'Gem ekstern identitet': which account at the identity provider is this user. Another one ends the binding and the
 * user's sessions. Throws `notInScope`, `notAllowed`, `wrongCurrentPassword` and `invalid` for one that is taken.
 */
export const saveExternalIdentity = external({
  name: "saveExternalIdentity",
  permission: "directory.manage",
  input: z.object({
    userId: z.coerce.number().int(),
    externalIdentity: optionalLine(255),
    currentPassword: z.string().max(200).optional().default(""),
  }),
  async prepare(context, { userId, currentPassword }) {
    await refuseOthers(context.db, context, userId);
    await askOwnPassword(context, currentPassword, "Skriv din egen adgangskode for at ændre den eksterne identitet.");
  },
  async run(context, { userId, externalIdentity }) {
    const { tx, now, person, caller, auditChange } = context;
    if (!(await setExternalIdentity(tx, userId, externalIdentity, now)))
      throw new Refusal("invalid", { fields: { externalIdentity: [TAKEN] } });
    await endAccessOf(tx, userId, now, userId === person.id ? caller.sessionId : null);
    await tellOf(context, userId);
    auditChange([], "external identity changed");
    return { flash: { tone: "success" as const, text: "Den eksterne identitet er gemt." } };
  },
});

const LINK_DAYS = 7;

/**
 * 'Lav et engangslink': it binds the person who signs in at the provider with it. It works once, for seven days,
 * and an earlier one no longer. Throws `notInScope`, `notAllowed`, `wrongCurrentPassword`
 * and `invalid` where there is no provider.
 */
export const createExternalLink = external({
  name: "createExternalLink",
  permission: "directory.manage",
  input: z.object({
    userId: z.coerce.number().int(),
    currentPassword: z.string().max(200).optional().default(""),
  }),
  async prepare(context, { userId, currentPassword }) {
    await refuseOthers(context.db, context, userId);
    await askOwnPassword(context, currentPassword, "Skriv din egen adgangskode for at lave et link.");
  },
  async run(context, { userId }) {
    const { tx, now, portal, auditChange } = context;
    const group = groupOf((await findUser(tx, context.actor, userId)).roles);
    if (portal.identityProviders[group] === null) throw new Refusal("invalid", { text: externalTexts.noProvider });
    await revokeTokens(tx, userId, now, ["externalAccount"]);
    const token = await issueToken(tx, { purpose: "externalAccount", userId, now, minutes: LINK_DAYS * 24 * 60 });
    const origin = group === "staff" ? portal.config.adminOrigin : portal.config.publicOrigin;
    auditChange([], "a link to bind an external account made");
    return { data: { link: `${origin}${externalSignInPath(group)}?tilknyt=${token}` } };
  },
});

/**
 * 'Fjern tilknytningen': the next account with the same name is bound anew. Ends the user's sessions, except one's
 * own present one, and the links for passwords, and notifies the user by mail. Throws `notInScope` and `notAllowed`.
 */
export const releaseExternalAccount = change({
  name: "releaseExternalAccount",
  permission: "directory.manage",
  input: z.object({ userId: z.coerce.number().int() }),
  async run(context, { userId }) {
    const { tx, now, person, caller, auditChange } = context;
    await refuseOthers(tx, context, userId);
    await releaseSubject(tx, userId, now);
    await endAccessOf(tx, userId, now, userId === person.id ? caller.sessionId : null);
    await tellOf(context, userId);
    auditChange([], "external account released");
    return { flash: { tone: "success" as const, text: "Tilknytningen er fjernet." } };
  },
});

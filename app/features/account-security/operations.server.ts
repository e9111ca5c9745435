import { z } from "zod";
import { change, type ChangeContext, external, read, type ReadContext } from "~/access/operation.server";
import { endSession, endSessionsOf, findSessionsOf } from "~/access/session-store.server";
import { accountMails } from "~/features/accounts/account-mail.server";
import {
  countUnusedCodes,
  deleteFactors,
  findFactor,
  hasFactor,
} from "~/features/second-factor/second-factor-store.server";
import { Refusal } from "~/access/refusal";
import { findByUserName } from "~/features/accounts/store.server";
import { askOwnPassword } from "~/features/accounts/passwords.server";
import { paths } from "~/paths";
import { line } from "~/text/fields.server";
import { MISSING_PASSWORD, withPassword } from "./second-factor.server";
import { secondFactorRule } from "~/access/sessions.server";
import { returnPath } from "~/features/accounts/sealed-input.server";
import { qrCode, totpAddress } from "~/features/second-factor/check-code.server";

/** Ends a user's second factor and sessions and notifies them by mail. False if they had none. */
export async function endFactorOf(
  { tx, portal, outbox, now }: Pick<ChangeContext, "tx" | "portal" | "outbox" | "now">,
  owner: { id: number; first_name: string; email: string },
): Promise<boolean> {
  if (!(await deleteFactors(tx, owner.id))) return false;
  await endSessionsOf(tx, owner.id, null);
  await outbox.emails(await accountMails(tx, portal, owner, ["secondFactor"], [owner.email], { now }));
  return true;
}

/**
 * Command line: for an only administrator who has lost their phone. Throws `accountUnknown`, and `conflict` if there is
 * none to end.
 */
export const resetSecondFactor = change({
  name: "resetSecondFactor",
  permission: "system",
  input: z.object({ userName: line.min(1) }),
  async run(context, { userName }) {
    const account = await findByUserName(context.tx, userName);
    if (account === null) throw new Refusal("accountUnknown");
    context.concerns({ userId: account.id });
    if (!(await endFactorOf(context, account)))
      throw new Refusal("conflict", { text: "Kontoen har ikke totrinslogin." });
    return {};
  },
});

/** Ends one of one's other sessions by its handle; no effect if it has ended. Throws `wrongCurrentPassword`. */
export const endOwnSession = external({
  name: "endOwnSession",
  permission: "account.manage",
  input: withPassword.extend({ session: z.string().max(64) }),
  async prepare(context, { currentPassword }) {
    await askOwnPassword(context, currentPassword, MISSING_PASSWORD);
  },
  async run({ tx, person, caller, now }, { session }) {
    const others = (await findSessionsOf(tx, person.id, now)).filter(({ id }) => id !== caller.sessionId);
    const ended = others.find(({ id }) => handleOf(id) === session);
    if (ended) await endSession(tx, ended.id);
    return { to: paths.security(), flash: { tone: "success", text: "Du er logget ud der." } };
  },
});

/** Keeps the present session. Throws `wrongCurrentPassword`. */
export const endOtherSessions = external({
  name: "endOtherSessions",
  permission: "account.manage",
  input: withPassword,
  async prepare(context, { currentPassword }) {
    await askOwnPassword(context, currentPassword, MISSING_PASSWORD);
  },
  async run({ tx, person, caller }) {
    await endSessionsOf(tx, person.id, caller.sessionId);
    return { to: paths.security(), flash: { tone: "success", text: "Du er logget ud alle andre steder." } };
  },
});

async function readSetUp({ db, person, portal }: ReadContext) {
  const pending = await findFactor(db, portal.secrets, person.id, "pending");
  if (pending === null) return null;
  const { secret } = pending;
  return { secret, qr: qrCode(totpAddress(secret, { issuer: portal.config.productName, account: person.userName })) };
}

async function readFactor(context: ReadContext) {
  const { db, person, portal } = context;
  const rule = secondFactorRule(portal.config.secondFactor, person.roles);
  if (rule === "off") return null;
  const active = await findFactor(db, portal.secrets, person.id, "active");
  return {
    isRequired: rule === "required",
    isOn: await hasFactor(db, person.id),
    since: active?.activatedAt ?? null,
    codesLeft: active === null ? 0 : await countUnusedCodes(db, active.id),
    setUp: await readSetUp(context),
  };
}

/** The part 'Sikkerhed' of the profile: the second factor (null if not available) and the person's sessions. */
export const readSecurity = read({
  name: "readSecurity",
  permission: "account.manage",
  async run(context) {
    const { db, person, caller, now } = context;
    const sessions = await findSessionsOf(db, person.id, now);
    return {
      userName: person.userName,
      factor: await readFactor(context),
      sessions: sessions.map(({ id, device, last_seen_at }) => ({
        handle: handleOf(id),
        deviceName: device,
        lastSeenAt: last_seen_at,
        isThis: id === caller.sessionId,
      })),
    };
  },
});

/** The page for setting up a required second factor; redirects anyone who need not. */
export const readSecondFactorPage = read({
  name: "readSecondFactorPage",
  permission: "signedIn",
  input: z.object({ to: returnPath }),
  async run(context, { to }) {
    if (!context.person.mustSetUpSecondFactor) return { redirectTo: to };
    return { userName: context.person.userName, setUp: await readSetUp(context), to };
  },
});

/** A prefix of the session id that tells one person's sessions apart. */
const handleOf = (sessionId: string) => sessionId.slice(0, 16);

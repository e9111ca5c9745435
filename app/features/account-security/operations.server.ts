import { z } from "zod";
import { change, external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { endSession, endSessionsOf, findSessionsOf } from "~/access/session-store.server";
import { findByUserName } from "~/features/accounts/account-administration.server";
import { askOwnPassword } from "~/features/accounts/own-password.server";
import { paths } from "~/paths";
import { line } from "~/text/fields.server";
import { endFactorOf } from "./end-factor.server";
import { MISSING_PASSWORD, withPassword } from "./second-factor.server";
import { handleOf } from "./session-handle";

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
    return { to: paths.security(), flash: { tone: "success" as const, text: "Du er logget ud der." } };
  },
});

export const endOtherSessions = external({
  name: "endOtherSessions",
  permission: "account.manage",
  input: withPassword,
  async prepare(context, { currentPassword }) {
    await askOwnPassword(context, currentPassword, MISSING_PASSWORD);
  },
  async run({ tx, person, caller }) {
    await endSessionsOf(tx, person.id, caller.sessionId);
    return { to: paths.security(), flash: { tone: "success" as const, text: "Du er logget ud alle andre steder." } };
  },
});

import { z } from "zod";
import { external } from "~/access/operation.server";
import { endSession, endSessionsOf, findSessionsOf } from "~/access/session-store.server";
import { askOwnPassword } from "~/features/accounts/own-password.server";
import { paths } from "~/paths";
import { handleOf } from "./session-handle";
import { MISSING_PASSWORD, withPassword } from "./second-factor.server";

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

import { differenceInMinutes } from "date-fns";
import { z } from "zod";
import type { Caller } from "~/access/caller";
import { change, execute, plainInput, read } from "~/access/operation.server";
import { workOrGiveUp } from "~/features/job-register/work-or-give-up.server";
import type { Portal } from "~/portal.server";
import { passwordResetMail, VALID_MINUTES } from "./password-reset-mail.server";
import { findPasswordRequests, takePasswordRequest } from "./password-request-store.server";
import { findSignInUser, findSignInUsersByEmail } from "./sign-in-user.server";

const MAX_PER_RUN = 50;

/** Pending password requests by e-mail address. */
export const readPasswordRequests = read({
  name: "accounts.readPasswordRequests",
  permission: "system",
  input: z.object({}),
  async run({ db }) {
    return { ids: await findPasswordRequests(db, MAX_PER_RUN) };
  },
});

/**
 * Mails a link to every account of a requested address. Requests older than a link's life, or with `isGivenUp`, are
 * dropped.
 */
export const mailPasswordLinks = change({
  name: "accounts.mailPasswordLinks",
  permission: "system",
  input: z.object({ requestId: z.number().int(), isGivenUp: z.boolean().default(false) }),
  async run({ tx, now, portal, outbox, concerns }, { requestId, isGivenUp }) {
    const request = await takePasswordRequest(tx, requestId);
    if (!request || isGivenUp || differenceInMinutes(now, request.requestedAt) >= VALID_MINUTES) return {};
    const { email: address, site } = request;
    const named = await findSignInUser(tx, address, site);
    const found = named ? [named] : await findSignInUsersByEmail(tx, address, site);
    if (found[0]) concerns({ userId: found[0].id });
    for (const user of found)
      if (mayChooseByMail(user)) await outbox.email(await passwordResetMail(tx, portal, user, now));
    return {};
  },
});

export const mayChooseByMail = ({ status, email }: { status: number; email: string }) => status === 1 && email !== "";

/** Runs each request separately; one that fails is given up and does not block the others. */
export async function mailRequestedLinks(portal: Portal, caller: Caller): Promise<void> {
  const { ids } = await execute(portal, caller, readPasswordRequests, plainInput({}));
  for (const requestId of ids) {
    const mail = (more = {}) => execute(portal, caller, mailPasswordLinks, plainInput({ requestId, ...more }));
    await workOrGiveUp(portal.log, { what: "mailing a link to a new password" }, mail, () => mail({ isGivenUp: true }));
  }
}

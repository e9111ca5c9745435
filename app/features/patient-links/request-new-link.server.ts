import { subDays } from "date-fns";
import { z } from "zod";
import type { PatientToken } from "~/access/actor";
import { external } from "~/access/operation.server";
import { exchangeLink, findExpiredLink } from "~/access/patient-links.server";
import { throttleAddress } from "~/access/throttle.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import { linkWays } from "~/features/patient-messages/ways";
import { findReferral, lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { filesOfLink } from "./files-of-link.server";
import type { FileLinkPurpose } from "./patient-link-store.server";
import { linkWords, queuePatientLink } from "./queue-patient-link.server";

/** SMS first, because the patient has the phone at hand. */
const SMS_FIRST = linkWays.toReversed();

/**
 * Exchanges an expired link: a new one goes to the patient's known address, once a day, never after staff revoked it.
 * The answer is the same for every token. Throws `tooManyAttempts`.
 */
export const requestNewLink = external({
  name: "requestNewLink",
  permission: "public",
  input: z.object({ token: z.string().max(100), purpose: z.enum(["radiographLink", "letterFilesLink"]) }),
  prepare: ({ portal, caller }) => throttleAddress(portal, "newLink", caller.address),
  async run({ tx, outbox, portal, now, auditChange }, { token, purpose }) {
    const isExchanged = await exchangeLink(tx, token, purpose, { now, oldest: subDays(now, 1) });
    const actor = isExchanged ? await findExpiredLink(tx, { token, purpose }) : null;
    if (actor !== null) await sendNewLink({ tx, outbox, portal, now, auditChange, actor }, purpose);
    const { path } = linkWords[purpose];
    return { to: `${path(encodeURIComponent(token))}&bedt=1` };
  },
});

type Context = Parameters<typeof queuePatientLink>[0] & { actor: PatientToken };

async function sendNewLink(context: Context, purpose: FileLinkPurpose): Promise<void> {
  const { tx, actor, portal } = context;
  const about = { purpose, letterNumber: actor.letterNumber };
  const found = await findReferral(tx, actor, actor.referralId).catch(() => null);
  if (found === null || found.deleted_at !== null) return;
  const row = await lockReferral(tx, actor, actor.referralId);
  const way = SMS_FIRST.find(({ channel }) => obstacleTo(portal, { kind: purpose, channel }, row) === null);
  if (way === undefined || (await filesOfLink(tx, portal.secrets, row, about)).length === 0) return;
  await queuePatientLink(context, row, { ...about, type: way.value });
}

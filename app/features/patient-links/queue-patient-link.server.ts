import { addDays } from "date-fns";
import type { ChangeContext } from "~/access/operation.server";
import { issuePatientLink } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import type { ClaimedMessage, KindHooks, NotNow, SettledMessage } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { linkWays } from "~/features/patient-messages/ways";
import { findMessageReferral } from "~/features/referrals/details/messaged-referral.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";
import type { Portal } from "~/portal.server";
import { filesOfLink } from "./files-of-link.server";
import { patientPaths } from "~/text/link-token";
import {
  type FileLinkPurpose,
  findByMessage,
  findNewestMessage,
  insertPatientMessage,
  type LinkedFilesOf,
} from "./store.server";

interface Words {
  sent: string;
  nothing: string;
  path(token: string): string;
}

export const linkWords: Readonly<Record<FileLinkPurpose, Words>> = {
  radiographLink: {
    sent: "Link til røntgenbilleder",
    nothing: "Der er ingen røntgenbilleder at sende.",
    path: patientPaths.patientRadiographs,
  },
  letterFilesLink: {
    sent: "Link til udskrivningsbrev",
    nothing: "Pdf-filen mangler",
    path: patientPaths.patientLetter,
  },
};

/** Preview placeholder: the link is created at sending, and only the patient sees it. */
export const linkPlaceholder = { link: "(linket laves, når beskeden sendes)" };

/**
 * Creates a link to a locked referral's files and queues it to the patient; older links to the same files become
 * invalid. Throws `invalid` without files or if the channel cannot be used.
 */
export async function queuePatientLink(
  context: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now" | "auditChange">,
  row: ReferralRow,
  { type, resendsId, ...about }: LinkedFilesOf & { type: number; resendsId?: number },
): Promise<void> {
  const { tx, actor, portal, now, auditChange } = context;
  const { purpose, letterNumber } = about;
  const { sent, nothing, path } = linkWords[purpose];
  const { channel, label } = linkWays.find(({ value }) => value === type)!;
  if ((await filesOfLink(tx, portal.secrets, row, about)).length === 0)
    throw new Refusal("invalid", { text: nothing, fields: { messageType: [nothing] } });
  const { patientLinkDays: days, publicOrigin } = portal.config;
  const expiresAt = addDays(now, days);
  const token = await issuePatientLink(tx, { purpose, referralId: row.id, letterNumber }, { now, expiresAt });
  const { outboxId } = await queuePatientMessage(context, {
    kind: purpose,
    channel,
    referral: row,
    field: "messageType",
    values: { link: `${publicOrigin}${path(token)}`, dage: String(days) },
    expiresAt,
    ...(resendsId === undefined ? {} : { resendsId }),
  });
  await insertPatientMessage(tx, { ...about, referralId: row.id, outboxId, type }, now);
  const which = letterNumber === null ? "" : `, brev ${letterNumber}`;
  await insertVisitLogEntry(
    tx,
    actor,
    { referralId: row.id, status: row.status, event: `${sent} i kø (${label}${which})` },
    now,
  );
  auditChange([row.id], `${purpose} by ${channel}`);
}

/** Withdraws a link's message when its files are gone, and creates a new link when it is resent. */
export const patientLinkHooks: KindHooks = {
  ...patientHooks,
  async recheck(portal: Portal, message: ClaimedMessage): Promise<NotNow | { to: string } | null> {
    const { db, secrets } = portal;
    const row = message.referralId === null ? undefined : await findMessageReferral(db, message.referralId);
    const about = await aboutOf(portal, message.id);
    if (row && about && (await findNewestMessage(db, row.id, about)) !== message.id)
      return { outcome: "withdrawn", detail: "Et nyere link er sendt" };
    if (row && about && (await filesOfLink(db, secrets, row, about)).length === 0)
      return { outcome: "withdrawn", detail: "Filerne er slettet" };
    return (await patientHooks.recheck?.(portal, message)) ?? null;
  },
  async resend(context: ChangeContext, { id, referralId }: SettledMessage, channel: ChannelName) {
    const way = linkWays.find((each) => each.channel === channel);
    const about = await aboutOf({ db: context.tx }, id);
    if (way === undefined || referralId === null || about === null) throw new Refusal("invalid");
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queuePatientLink(context, row, { ...about, type: way.value, resendsId: id });
  },
};

async function aboutOf(
  { db }: { db: Parameters<typeof findByMessage>[0] },
  outboxId: number,
): Promise<LinkedFilesOf | null> {
  const row = await findByMessage(db, outboxId);
  return row ? { purpose: row.purpose as FileLinkPurpose, letterNumber: row.letter_number } : null;
}

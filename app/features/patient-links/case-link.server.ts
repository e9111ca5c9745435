import { addDays } from "date-fns";
import type { PatientToken } from "~/access/actor";
import { type ChangeContext, read } from "~/access/operation.server";
import { issuePatientLink, revokePatientLinks } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { channelLabels } from "~/features/delivery/delivery-outcome";
import { type KindHooks, withdrawn } from "~/features/delivery/port";
import { patientHooks, lockReferralOf } from "~/features/patient-messages/patient-hooks.server";
import { asWord, obstacleTo, queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { knownNextDate, saysTold, visibleStatus } from "~/features/referrals/model/status";
import { findLastSigns } from "~/features/referrals/store/next-date-store.server";
import { findToldPatients } from "~/features/referrals/store/told-patients-store.server";
import { type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { reminderChannel, readReminderSettings, mayLeave } from "~/features/reminders/reminder-settings.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { localDate } from "~/text/dates";
import { patientPaths } from "~/text/link-token";

/** Longer than most referrals wait; until then the page of a closed one says that it is closed. */
const LINK_DAYS = 180;
const QUIET_MINUTES = 15;

type Context = Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now">;

/**
 * Queues the link to the case of a referral that has just arrived, if the clinic has switched that on. What prevents it
 * is logged and refuses nothing; a patient without an address on the channel gets none.
 */
export async function sendCaseLink(context: Context, row: ReferralRow): Promise<void> {
  const { tx } = context;
  if (!(await readReminderSettings(tx)).sendsCaseLink || row[reminderChannel.contact] === null) return;
  const obstacle = await queueUnlessPrevented(context, row);
  const event =
    obstacle === null
      ? `Link til sagen i kø (${channelLabels[reminderChannel.name]})`
      : `Link til sagen er ikke sendt: ${obstacle}`;
  await logWithoutStatus(context, row.id, event);
}

async function queueUnlessPrevented(context: Context, row: ReferralRow): Promise<string | null> {
  const { tx, portal, now } = context;
  const obstacle = obstacleTo(portal, { kind: "caseLink", channel: reminderChannel.name }, row);
  if (obstacle !== null) return obstacleTexts[obstacle];
  if (await reminderChannel.isDeclined(tx, portal, row)) return reminderChannel.declined.detail;
  try {
    await queueCaseLink(context, row);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await revokePatientLinks(tx, { referralId: row.id, purpose: "caseLink" }, "changed", now);
    return error.text ?? error.name;
  }
}

async function queueCaseLink(context: Context, row: ReferralRow, resendsId?: number): Promise<void> {
  const { tx, portal, now } = context;
  const token = await issuePatientLink(
    tx,
    { purpose: "caseLink", referralId: row.id },
    { now, expiresAt: addDays(now, LINK_DAYS) },
  );
  await queuePatientMessage(context, {
    kind: "caseLink",
    channel: reminderChannel.name,
    referral: row,
    values: { følglink: `${portal.config.publicOrigin}${patientPaths.patientCase(token)}` },
    resendsId,
  });
}

/** Not urgent, so it is sent within the hours of reminders; it is withheld once it is no longer wanted. */
export const caseLinkHooks: KindHooks = {
  ...patientHooks,
  async recheck(portal, message) {
    const { db, clock } = portal;
    const settings = await readReminderSettings(db);
    if (!settings.sendsCaseLink) return withdrawn("Slået fra i indstillingerne");
    const row = await findMessageReferral(db, message.referralId);
    if (row && (await reminderChannel.isDeclined(db, portal, row))) return withdrawn(reminderChannel.declined.detail);
    if (!mayLeave(clock.now(), settings))
      return { outcome: "wait", detail: reminderChannel.quietDetail, minutes: QUIET_MINUTES };
    return patientHooks.recheck(portal, message);
  },
  async resend(context, message) {
    await queueCaseLink(context, await lockReferralOf(context, message), message.id);
  },
};

/**
 * The page of a link to the case: status, last sign of life and next date, without treatment, surname or CPR number.
 * Throws `linkExpired`.
 */
export const readOwnCase = read({
  name: "readOwnCase",
  permission: "patient.caseLink",
  async run({ db, portal, actor, now, auditRead }) {
    const { referralId } = actor as PatientToken;
    const row = await findMessageReferral(db, referralId);
    if (row === undefined || row.deletedAt !== null || row.sentAt === null) throw new Refusal("linkExpired");
    auditRead([referralId]);
    const { clinicName, phone } = await readLetterhead(db, portal.config);
    const lastSigns = await findLastSigns(db, actor, [row]);
    return {
      clinicName,
      phone,
      firstName: asWord(row.firstName),
      lastSign: lastSigns.get(row.id)!,
      sentOn: localDate(new Date(row.sentAt)),
      isTriaged: row.triagedAt !== null,
      step: {
        status: visibleStatus(row.status, actor),
        isTold: saysTold(row.status) && (await findToldPatients(db, [referralId])).has(referralId),
        nextDate: knownNextDate(row, actor),
        today: localDate(now),
      },
    };
  },
});

import { z } from "zod";
import { caseObstacle, queuePatientMessage, timeObstacle } from "~/features/patient-messages/queue-message.server";
import { type Obstacle, obstacleTexts } from "~/features/patient-messages/ways";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { lockSentReferral } from "~/features/referrals/store/treatment-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { operationMoment, partsOfMoment } from "~/features/referrals/model/operation-moment";
import { CANCELLED_BY_SMS, TU, WITHOUT_TIME } from "~/features/referrals/model/statuses";
import { change, type ChangeContext, execute, plainInput, read } from "~/access/operation.server";
import { issuePatientLink } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { endOfMoment, startOfMoment } from "~/features/referrals/model/operation-start.server";
import {
  reminderChannel,
  readReminderSettings,
  type ReminderSettings,
  dueRules,
  mayLeave,
} from "./reminder-settings.server";
import { claimReminder, findExpected, findGone, setMessage, findByMessage } from "./reminder-store.server";
import type { Caller } from "~/access/caller";
import type { Portal } from "~/portal.server";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { patientPaths } from "~/text/link-token";
import { type ClaimedMessage, type KindHooks, withdrawn } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { idsOf } from "~db/connection.server";

/** Why a patient is not reminded; checked by the page, when queued, and before sending. */
export function reminderObstacle(row: ReferralRow, now: Date): Obstacle | null {
  const inCase = caseObstacle("appointmentReminder", row);
  if (inCase !== null) return inCase;
  if (operationMoment(row) === null) return "noTime";
  if (row.status === TU) return "inTu";
  return row.status === CANCELLED_BY_SMS ? "timeCancelled" : timeObstacle(row, now);
}

/**
 * Queues a reminder of a locked referral's time with a link to answer and, `withCancellation`, how to cancel. Manual
 * reminders are unlimited; each `rule` of the settings is sent once per time (false if it was). Throws `invalid` with
 * the reason.
 */
export async function queueReminder(
  context: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now">,
  row: ReferralRow,
  { withCancellation, rule = null, text }: { withCancellation: boolean; rule?: number | null; text?: string },
): Promise<boolean> {
  const { tx, portal, now } = context;
  const moment = operationMoment(row);
  const obstacle = reminderObstacle(row, now);
  if (moment === null || obstacle !== null) throw refused(`${obstacleTexts[obstacle ?? "noTime"]}.`);
  if (await reminderChannel.isDeclined(tx, portal, row)) throw refused(reminderChannel.declined.refusal);
  const id = await claimReminder(tx, { referralId: row.id, operationMoment: moment, rule }, now);
  if (id === null) return false;
  const token = await issuePatientLink(
    tx,
    { purpose: "appointmentAnswer", referralId: row.id, operationMoment: moment },
    { now, expiresAt: endOfMoment(moment) },
  );
  const link = `${portal.config.publicOrigin}${patientPaths.appointmentAnswer(token)}`;
  const { outboxId } = await queuePatientMessage(context, {
    kind: "appointmentReminder",
    channel: reminderChannel.name,
    referral: row,
    values: { svarlink: link, afbud: withCancellation ? `Svar her, om du kommer: ${link}` : "" },
    expiresAt: startOfMoment(moment),
    text: text ? { subject: "", body: text } : undefined,
  });
  await setMessage(tx, id, outboxId);
  const event =
    rule === null ? `Påmindelse i kø (${withCancellation ? "med" : "uden"} afbud)` : `Påmindelse ${rule} i kø`;
  await logWithoutStatus(context, row.id, event);
  return true;
}

const refused = (text: string) => new Refusal("invalid", { text });

interface Expected {
  operationDate: string | null;
  operationHour: number | null;
  operationMinute: number | null;
  treatmentTypeId: number | null;
}

/** The time to remind of; null without an hour or for an excluded treatment. */
function remindedMoment(row: Expected, { excludedTypes }: ReminderSettings): string | null {
  const moment = operationMoment(row);
  if (moment === null || row.operationHour === null || moment.endsWith("00:00")) return null;
  return row.treatmentTypeId !== null && excludedTypes.includes(row.treatmentTypeId) ? null : moment;
}

const MAX_EARLIER_DAYS = 10;

/**
 * Referrals with a reminder to queue now: due within the last 24 hours, outside quiet hours, and not yet sent for the
 * time.
 */
export const listDueReminders = read({
  name: "reminders.listDue",
  permission: "system",
  async run({ db, portal, now }) {
    const settings = await readReminderSettings(db);
    const { isOn, rules } = settings;
    if (!isOn || rules.length === 0 || !reminderChannel.isSet(portal) || !mayLeave(now, settings))
      return { referralIds: [] };
    const today = localDate(now);
    const furthest = Math.max(...rules.map(({ daysBefore }) => daysBefore)) + MAX_EARLIER_DAYS;
    const expected = await findExpected(db, { from: today, to: addDays(today, furthest) });
    const due = expected.flatMap((row) => {
      const moment = remindedMoment(row, settings);
      if (moment === null) return [];
      const slots = dueRules(moment, settings, now).map(({ slot }) => slot);
      return slots.length === 0 ? [] : [{ id: row.id, moment, slots }];
    });
    const gone = await findGone(db, idsOf(due));
    const key = (id: number, moment: string, slot: number | null) => `${id} ${moment} ${slot}`;
    const done = new Set(gone.map(({ referralId, operationMoment: moment, rule }) => key(referralId, moment, rule)));
    return {
      referralIds: idsOf(due.filter(({ id, moment, slots }) => slots.some((slot) => !done.has(key(id, moment, slot))))),
    };
  },
});

/**
 * Queues a due reminder after checking everything under lock. Of several only the latest is sent; the others count as
 * sent. Returns `data.isQueued`. Throws `invalid`, with nothing written, if it cannot be sent.
 */
export const queueDueReminder = change({
  name: "reminders.queueDue",
  permission: "system",
  input: z.object({ referralId: z.number().int() }),
  async run(context, { referralId }) {
    const due = await claimOvertaken(context, referralId);
    if (due === null) return { data: { isQueued: false } };
    const { row, rule } = due;
    const isQueued = await queueReminder(context, row, { withCancellation: true, rule: rule.slot, text: rule.text });
    return { data: { isQueued } };
  },
});

/** Marks a reminder that cannot be sent as done and logs the reason once. */
export const noteUnsentReminder = change({
  name: "reminders.noteUnsent",
  permission: "system",
  input: z.object({ referralId: z.number().int(), why: z.string() }),
  async run(context, { referralId, why }) {
    const { tx, now } = context;
    const due = await claimOvertaken(context, referralId);
    if (due === null) return {};
    const { row, rule, moment } = due;
    await claimReminder(tx, { referralId: row.id, operationMoment: moment, rule: rule.slot }, now);
    const event = `Påmindelse ${rule.slot} er ikke sendt: ${why}`;
    await logWithoutStatus(context, row.id, event.slice(0, 200));
    return {};
  },
});

async function claimOvertaken({ tx, now, auditChange }: ChangeContext, referralId: number) {
  const row = await lockSentReferral(tx, referralId);
  const settings = await readReminderSettings(tx);
  const moment = row === undefined ? null : remindedMoment(row, settings);
  if (row === undefined || moment === null || row.isTest || WITHOUT_TIME.includes(row.status)) return null;
  if (row.cancellationDate !== null || row.confirmedAt !== null) return null;
  const [rule, ...overtaken] = dueRules(moment, settings, now);
  if (!settings.isOn || rule === undefined) return null;
  for (const { slot } of overtaken) await claimReminder(tx, { referralId, operationMoment: moment, rule: slot }, now);
  auditChange([referralId], `reminder ${rule.slot} of ${partsOfMoment(moment).day}`);
  return { row, rule, moment };
}

/** Job: queues each due reminder in its own transaction; one that fails does not stop the others. */
export async function sendDueReminders(portal: Portal, caller: Caller): Promise<void> {
  const { referralIds } = await execute(portal, caller, listDueReminders);
  for (const referralId of referralIds) {
    try {
      await queueOrNote(portal, caller, referralId);
    } catch (error) {
      portal.log.error({ err: error, referralId }, "reminder not queued");
    }
  }
}

async function queueOrNote(portal: Portal, caller: Caller, referralId: number): Promise<void> {
  try {
    await execute(portal, caller, queueDueReminder, plainInput({ referralId }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Its own transaction: the refused one rolled back the link it had issued.
    await execute(portal, caller, noteUnsentReminder, plainInput({ referralId, why: error.text ?? "" }));
  }
}

export const reminderHooks: KindHooks = { ...patientHooks, recheck: recheckReminder };

const QUIET_MINUTES = 15;

async function recheckReminder(portal: Portal, message: ClaimedMessage) {
  const { db } = portal;
  const reminder = await findByMessage(db, message.id);
  const referral = await findMessageReferral(db, message.referralId);
  if (reminder === undefined || referral === undefined || referral.deletedAt !== null)
    return withdrawn("Henvisningen er slettet");
  if (operationMoment(referral) !== reminder.operationMoment) return withdrawn("Tiden er ændret");
  const obstacle = reminderObstacle(referral, portal.clock.now());
  if (obstacle !== null) return withdrawn(obstacleTexts[obstacle]);
  if (await reminderChannel.isDeclined(db, portal, referral)) return withdrawn(reminderChannel.declined.detail);
  if (reminder.rule === null) return patientHooks.recheck(portal, message);
  if (referral.confirmedAt !== null) return withdrawn("Patienten har bekræftet tiden");
  if (!mayLeave(portal.clock.now(), await readReminderSettings(db)))
    return { outcome: "wait" as const, detail: reminderChannel.quietDetail, minutes: QUIET_MINUTES };
  return patientHooks.recheck(portal, message);
}

import { Readable } from "node:stream";
import { addMinutes } from "date-fns";
import type { PatientToken } from "~/access/actor";
import { read, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { canReclaim, readOffer } from "~/features/freed-times/answer-offer.server";
import { asWord } from "~/features/patient-messages/queue-message.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findToldPatients } from "~/features/referrals/store/told-patients-store.server";
import { operationMoment, partsOfMoment } from "~/features/referrals/model/operation-moment";
import { hasBegun, startOfMoment } from "~/features/referrals/model/operation-start.server";
import { knownNextDate, saysTold, visibleStatus } from "~/features/referrals/model/status";
import { CANCELLED_BY_SMS, CLOSED, DECLINED, TU } from "~/features/referrals/model/statuses";
import { readLetterhead } from "~/features/settings/settings.server";
import type { DbOrTx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { calendarDaysBetween } from "~/text/copenhagen.server";
import { localDate } from "~/text/dates";
import { findAnswers } from "./answer-store.server";

interface CalendarEvent {
  uid: string;
  sequence: number;
  start: Date;
  minutes: number;
  title: string;
  place: string;
  note: string;
  madeAt: Date;
}

/** UTC, so that no calendar needs a time zone definition. */
const utc = (date: Date) => date.toISOString().replace(/[-:]|\.\d{3}/g, "");

const escaped = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

/** Folds a line at 75 octets (RFC 5545 §3.1). */
function folded(line: string): string {
  const lines: string[] = [];
  let now = "";
  for (const sign of line) {
    if (Buffer.byteLength(now + sign) > 74) {
      lines.push(now);
      now = "";
    }
    now += sign;
  }
  return [...lines, now].join("\r\n ");
}

function calendarOf({ uid, sequence, start, minutes, title, place, note, madeAt }: CalendarEvent): string {
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Henvisningsportalen//Tid//DA",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${utc(madeAt)}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(addMinutes(start, minutes))}`,
    `SUMMARY:${escaped(title)}`,
    `LOCATION:${escaped(place)}`,
    `DESCRIPTION:${escaped(note)}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(folded)
    .join("\r\n");
}

/**
 * The part of their time that a link's patient may see. Throws `linkExpired` when the time has changed owner or date.
 */
async function ownAppointment({ db, portal, actor, now, auditRead }: ReadContext) {
  const { referralId, operationMoment: moment } = actor as PatientToken;
  const row = await findMessageReferral(db, referralId);
  if (row === undefined || moment === null || row.deletedAt !== null || [CLOSED, DECLINED, TU].includes(row.status))
    throw new Refusal("linkExpired");
  auditRead([referralId], `appointment ${moment}`);
  const { clinicName, address, zip, city, phone } = await readLetterhead(db, portal.config);
  const about = {
    clinic: { name: clinicName, address, place: `${zip} ${city}`.trim(), phone },
    firstName: asWord(row.firstName),
    moment,
    hasBegun: hasBegun(moment, now),
    step: {
      status: visibleStatus(row.status, actor),
      isTold: saysTold(row.status) && (await findToldPatients(db, [row.id])).has(row.id),
      nextDate: knownNextDate(row, actor),
      today: localDate(now),
    },
  };
  if (operationMoment(row) !== moment) {
    const offer = await readOffer(db, { referralId, operationMoment: moment }, now);
    // Accepted earlier, but the appointment has since moved away from this patient.
    if (offer === null || offer.outcome === "accepted") throw new Refusal("linkExpired");
    return { ...about, offer, durationMinutes: offer.durationMinutes, answer: null, canComeAfterAll: false };
  }
  const isCancelled = row.cancellationDate !== null;
  if (!isCancelled && row.status === CANCELLED_BY_SMS) throw new Refusal("linkExpired");
  return {
    ...about,
    offer: null,
    durationMinutes: row.operationDuration,
    answer: isCancelled ? ("cancelled" as const) : row.confirmedAt === null ? null : ("confirmed" as const),
    canComeAfterAll: isCancelled && (await canReclaim(db, { referralId, operationMoment: moment }, now)),
  };
}

/** The page of an appointment or an offered time, without treatment, surname or CPR number. Throws `linkExpired`. */
export const readAppointment = read({
  name: "readAppointment",
  permission: "patient.appointmentAnswer",
  run: (context) => ownAppointment(context),
});

export type OwnTime = Awaited<ReturnType<typeof ownAppointment>>;

const DEFAULT_MINUTES = 30;

/**
 * The appointment as iCalendar, 30 minutes unless its duration is known. Throws `linkExpired` for an offered or
 * cancelled time.
 */
export const downloadCalendar = read({
  name: "downloadCalendar",
  permission: "patient.appointmentAnswer",
  async run(context) {
    const { offer, answer, clinic, moment, durationMinutes } = await ownAppointment(context);
    if (offer !== null || answer === "cancelled") throw new Refusal("linkExpired");
    const { secrets } = context.portal;
    const { referralId } = context.actor as PatientToken;
    const row = await findMessageReferral(context.db, referralId);
    const calendar = calendarOf({
      // One entry per referral, so that a calendar moves it when the time changes.
      uid: secrets.lookup("calendar", String(referralId)).slice(0, 32),
      sequence: row!.version,
      start: startOfMoment(moment),
      minutes: durationMinutes ?? DEFAULT_MINUTES,
      title: `Tid hos ${clinic.name}`,
      place: [clinic.name, clinic.address, clinic.place].filter(Boolean).join(", "),
      note: `Kan du ikke komme, så ring på ${clinic.phone}.`,
      madeAt: context.now,
    });
    return {
      fileName: "tid.ics",
      mime: "text/calendar; charset=utf-8",
      sizeBytes: Buffer.byteLength(calendar),
      disposition: "attachment" as const,
      open: () => Readable.from([calendar]),
    };
  },
});

export async function answerTo(db: DbOrTx, portal: Pick<Portal, "secrets">, row: ReferralRow) {
  const moment = operationMoment(row);
  const at = row.cancellationDate ?? row.confirmedAt;
  if (moment === null || at === null) return null;
  const answers = await findAnswers(db, portal.secrets, [row.id]);
  const given = answers.findLast(({ operationMoment: of, isUndone }) => of === moment && !isUndone);
  return {
    isCancelled: row.cancellationDate !== null,
    at,
    source: given?.source ?? null,
    word: given?.word ?? null,
    daysBefore: calendarDaysBetween(new Date(at), startOfMoment(moment)),
    day: partsOfMoment(moment).day,
  };
}

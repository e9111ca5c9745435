import { addDays as addTime, isMonday, isSaturday, isSunday, parseISO } from "date-fns";
import type { Tx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { sealMessage } from "~/features/delivery/sealed-message.server";
import { defaultText } from "~/features/delivery/templates/message-templates";
import { fillPlaceholders, noValues } from "~/features/delivery/templates/placeholders";
import { AWAITING_TRIAGE } from "~/features/referrals/model/statuses";
import { addDays } from "~/text/calendar";
import { momentThere } from "~/text/copenhagen.server";
import { localDate, showDay, toMoment } from "~/text/dates";
import { twoDigits } from "~/text/numbers";

/** A referral of the bulk data; its history depends on its number only. */
export interface BulkReferral {
  id: number;
  number: number;
  status: number;
  sentAt: Date;
  personId: number;
  firstName: string;
  mobilePhone: string | null;
}

const PLANNED: ReadonlySet<number> = new Set([6, 7, 13, 15]);
const CLOSED = 7;

/** The moment `days` later, on the next Monday instead of a weekend. */
function later(at: Date, days: number): Date {
  const then = addTime(at, days);
  return isSaturday(then) ? addTime(then, 2) : isSunday(then) ? addTime(then, 1) : then;
}

const operationOf = ({ number, sentAt }: Pick<BulkReferral, "number" | "sentAt">) =>
  localDate(later(sentAt, 20 + (number % 40)));

const isReminded = (of: Pick<BulkReferral, "number" | "sentAt" | "mobilePhone">, now: Date) =>
  of.mobilePhone !== null && operationOf(of) <= localDate(now);

/** Whether the referral can have been operated on and closed by now. */
export const canBeClosed = (of: Pick<BulkReferral, "number" | "sentAt">, now: Date) => closedAt(of) < now;

const closedAt = (of: Pick<BulkReferral, "number" | "sentAt">) =>
  later(momentThere(operationOf(of), 9 + (of.number % 6), 0), 3);

export function planOf(
  { number, status, sentAt, mobilePhone }: Pick<BulkReferral, "number" | "status" | "sentAt" | "mobilePhone">,
  types: number[],
  now: Date,
) {
  // All rows of one insert need the same columns.
  const nothing = { treatmentTypeId: null, smsCount: 0, hasDischargeLetter: false };
  if (!PLANNED.has(status)) return nothing;
  const letter = status === CLOSED ? closedAt({ number, sentAt }) : null;
  return {
    ...nothing,
    operationDate: operationOf({ number, sentAt }),
    operationHour: 8 + (number % 8),
    operationMinute: (number % 4) * 15,
    operationDuration: 45,
    treatmentTypeId: types[number % types.length] ?? null,
    smsCount: isReminded({ number, sentAt, mobilePhone }, now) ? 1 : 0,
    ...(letter ? { hasDischargeLetter: true, dischargeSentAt: toMoment(letter) } : {}),
  };
}

/** Rows per statement, always as many: a database parses each new length again. */
const BATCH_SIZE = 250;

export function* inParts<T>(all: T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/**
 * Inserts status lines, SMS, discharge letters and audit events of some referrals. `firstEvent`: id of the first audit
 * event.
 */
export async function insertHistory(
  tx: Tx,
  secrets: Secrets,
  rows: BulkReferral[],
  { firstEvent, now }: { firstEvent: number; now: Date },
): Promise<void> {
  const triaged = rows.filter(({ status }) => status !== AWAITING_TRIAGE);
  const lines = triaged.flatMap((row) => [statusLine(row, 2, 1 + (row.number % 3)), statusLine(row, row.status, 12)]);
  for (const part of inParts(lines, BATCH_SIZE)) await tx.insertInto("visitLog").values(part).execute();
  const messages = rows
    .filter((row) => PLANNED.has(row.status) && isReminded(row, now))
    .map((row) => reminderOf(secrets, row));
  for (const part of inParts(messages, BATCH_SIZE)) await tx.insertInto("outbox").values(part).execute();
  const letters = rows.filter(({ status }) => status === CLOSED).map(letterOf);
  for (const part of inParts(letters, BATCH_SIZE)) await tx.insertInto("dischargeLetter").values(part).execute();
  const events = rows.map((row, index) => openingOf(row, firstEvent + index));
  for (const part of inParts(events, BATCH_SIZE)) await tx.insertInto("auditEvent").values(part).execute();
  const opened = rows.map(({ id }, index) => ({ referralId: id, auditEventId: firstEvent + index }));
  for (const part of inParts(opened, BATCH_SIZE)) await tx.insertInto("auditReferral").values(part).execute();
}

const openingOf = ({ sentAt, personId }: BulkReferral, id: number) => ({
  id,
  at: toMoment(later(sentAt, 1)),
  actorKind: "person",
  actorId: personId,
  operation: "readReferral",
  outcome: "seen",
  detail: null,
  role: "Dentist",
  site: "public",
  purpose: null,
  addressHash: null,
  accountHash: null,
  cprHash: null,
  subjectUserId: null,
});

const statusLine = ({ id, sentAt }: BulkReferral, status: number, days: number) => ({
  referralId: id,
  at: toMoment(later(sentAt, days)),
  modifierId: null,
  modifierName: "Klinikken",
  status,
  treatmentTypeId: null,
  surgeonComment: null,
  logType: null,
  event: null,
});

const REMINDER = defaultText("appointmentReminder", "sms")!.body;

/** The day before the operation, in the portal's own words. */
function reminderOf(secrets: Secrets, { id, number, sentAt, firstName, mobilePhone }: BulkReferral) {
  const operation = operationOf({ number, sentAt });
  const at = toMoment(momentThere(addDays(operation, isMonday(parseISO(operation)) ? -3 : -1), 10, number % 60));
  const text = fillPlaceholders(REMINDER, {
    ...noValues,
    fornavn: firstName,
    klinik: "klinikken",
    dato: showDay(operation),
    klokkeslæt: `${8 + (number % 8)}.${twoDigits((number % 4) * 15)}`,
  }).trim();
  return {
    ...sealMessage(secrets, mobilePhone!, JSON.stringify({ text })),
    channel: "sms",
    kind: "appointmentReminder",
    referralId: id,
    userId: null,
    outcome: number % 20 === 0 ? ("failed" as const) : ("sent" as const),
    code: number % 20 === 0 ? 2 : 1,
    attempts: 1,
    createdAt: at,
    notBefore: at,
    sentAt: at,
    settledAt: at,
    handledAt: at,
  };
}

function letterOf({ id, number, sentAt }: BulkReferral) {
  const at = toMoment(closedAt({ number, sentAt }));
  return {
    referralId: id,
    letterNumber: 1,
    diagnosisFileId: null,
    status: 1,
    errorMessage: null,
    sendDate: at,
    recipientEmail: "tandlaege@eksempel.dk",
    surgeonEmail: null,
    attempts: 1,
    isEdi: false,
    sendEdiAsEmail: true,
    patientMessageType: null,
    patientMessageStatus: null,
    patientMessageStatusDate: null,
    createdAt: at,
    deletedAt: null,
  };
}

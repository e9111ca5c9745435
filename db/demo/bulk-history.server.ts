import type { Tx } from "~db/connection.server";
import { newRowKey, rowContext, type Secrets } from "~/access/secrets.server";
import { sealRecipient } from "~/features/delivery/sealed-message.server";
import { addDays } from "~/text/calendar";
import { localDate, toMoment } from "~/text/dates";

/** A referral of the bulk data; its history depends on its number only. */
export interface BulkReferral {
  id: number;
  number: number;
  status: number;
  sentAt: Date;
  personId: number;
}

const PLANNED: ReadonlySet<number> = new Set([6, 7, 13, 15]);
const CLOSED = 7;
const DAY = 86_400_000;
const later = (at: Date, days: number) => new Date(at.getTime() + days * DAY);
const operatedAfter = (number: number) => 20 + (number % 40);

export function planOf(
  { number, status, sentAt }: Pick<BulkReferral, "number" | "status" | "sentAt">,
  types: number[],
) {
  // All rows of one insert need the same columns.
  const nothing = { treatment_type_id: null, sms_count: 0, has_discharge_letter: 0 };
  if (!PLANNED.has(status)) return nothing;
  const day = addDays(localDate(sentAt), operatedAfter(number));
  const letter = status === CLOSED ? later(sentAt, operatedAfter(number) + 3) : null;
  return {
    ...nothing,
    operation_date: day,
    operation_hour: 8 + (number % 8),
    operation_minute: (number % 4) * 15,
    operation_duration: 45,
    treatment_type_id: types[number % types.length] ?? null,
    sms_count: 1,
    ...(letter ? { has_discharge_letter: 1, discharge_sent_at: toMoment(letter) } : {}),
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
export async function insertHistory(tx: Tx, secrets: Secrets, rows: BulkReferral[], firstEvent: number): Promise<void> {
  const lines = rows.flatMap((row) => [statusLine(row, 2, 1 + (row.number % 9)), statusLine(row, row.status, 12)]);
  for (const part of inParts(lines, BATCH_SIZE)) await tx.insertInto("visit_log").values(part).execute();
  const sealed = sealSms(secrets);
  const messages = rows
    .filter(({ status }) => PLANNED.has(status))
    .map((row) => {
      return { ...smsAbout(row), ...sealed };
    });
  for (const part of inParts(messages, BATCH_SIZE)) await tx.insertInto("outbox").values(part).execute();
  const letters = rows.filter(({ status }) => status === CLOSED).map(letterOf);
  for (const part of inParts(letters, BATCH_SIZE)) await tx.insertInto("discharge_letter").values(part).execute();
  const events = rows.map((row, index) => openingOf(row, firstEvent + index));
  for (const part of inParts(events, BATCH_SIZE)) await tx.insertInto("audit_event").values(part).execute();
  const opened = rows.map(({ id }, index) => ({ referral_id: id, audit_event_id: firstEvent + index }));
  for (const part of inParts(opened, BATCH_SIZE)) await tx.insertInto("audit_referral").values(part).execute();
}

const openingOf = ({ sentAt, personId }: BulkReferral, id: number) => ({
  id,
  at: toMoment(later(sentAt, 1)),
  actor_kind: "person",
  actor_id: personId,
  operation: "readReferral",
  outcome: "seen",
  detail: null,
  role: "Dentist",
  site: "public",
  purpose: null,
  address_hash: null,
  account_hash: null,
  cpr_hash: null,
  subject_user_id: null,
});

const statusLine = ({ id, sentAt }: BulkReferral, status: number, days: number) => ({
  referral_id: id,
  at: toMoment(later(sentAt, days)),
  modifier_id: null,
  modifier_name: "Klinikken",
  status,
  treatment_type_id: null,
  surgeon_comment: null,
  log_type: null,
  event: null,
});

/** Every SMS has the same text and number, so it is encrypted once for many rows. */
function sealSms(secrets: Secrets) {
  const rowKey = newRowKey();
  const content = JSON.stringify({ text: "Du har tid hos os. Ring, hvis den ikke passer." });
  return {
    row_key: rowKey,
    recipient_encrypted: sealRecipient(secrets, "+4512345678", rowKey),
    content_encrypted: secrets.encrypt("outbox", content, rowContext("outbox", "content_encrypted", rowKey)),
  };
}

function smsAbout({ id, number, sentAt }: BulkReferral) {
  const at = toMoment(later(sentAt, 14));
  return {
    channel: "sms",
    kind: "appointmentReminder",
    referral_id: id,
    user_id: null,
    outcome: number % 20 === 0 ? ("failed" as const) : ("sent" as const),
    code: number % 20 === 0 ? 2 : 1,
    attempts: 1,
    created_at: at,
    not_before: at,
    sent_at: at,
    settled_at: at,
    handled_at: at,
  };
}

function letterOf({ id, number, sentAt }: BulkReferral) {
  const at = toMoment(later(sentAt, operatedAfter(number) + 3));
  return {
    referral_id: id,
    letter_number: 1,
    diagnosis_file_id: null,
    status: 1,
    error_message: null,
    send_date: at,
    recipient_email: "tandlaege@eksempel.dk",
    surgeon_email: null,
    attempts: 1,
    is_edi: 0,
    send_edi_as_email: 1,
    patient_message_type: null,
    patient_message_status: null,
    patient_message_status_date: null,
    created_at: at,
    deleted_at: null,
  };
}

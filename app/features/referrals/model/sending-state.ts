import { type ChannelName, type Outcome, outcomes } from "~/features/delivery/delivery-outcome";
import { OTHER_ERROR, PROTECTED_ADDRESS } from "~/features/delivery/delivery-status";
import { failureText } from "~/features/delivery/failure-texts";

export interface Sending {
  sending_channel: string | null;
  sending_outcome: Outcome | null;
  sending_code: number | null;
  sending_detail: string | null;
  sending_reason: string | null;
  sending_at: string | null;
  sending_attempts: number | null;
}

export const sendingColumns = [
  "sending.channel as sending_channel",
  "sending.outcome as sending_outcome",
  "sending.code as sending_code",
  "sending.detail as sending_detail",
  "sending.reason as sending_reason",
  "sending.sent_at as sending_at",
  "sending.attempts as sending_attempts",
] as const;

export interface EdiSending {
  edi_outcome: Outcome | null;
  edi_detail: string | null;
}

export const ediColumns = ["edi.outcome as edi_outcome", "edi.detail as edi_detail"] as const;

/** State (one of the eleven) and time of an appointment letter, invoice or estimate. */
export function letterSending<Row extends Sending & { status: number; send_date: string | null }>(row: Row): Row {
  const { sending_outcome: outcome, sending_code: code, sending_at: at } = row;
  if (outcome === null) return row;
  // A withdrawn message keeps the code of waiting.
  return { ...row, status: outcome === "withdrawn" ? OTHER_ERROR : (code ?? row.status), send_date: at };
}

export function callUpSending<Row extends Sending & { call_up_status: number; incall_date: string | null }>(
  row: Row,
): Row {
  const { sending_outcome: outcome, sending_code: code, sending_at: at } = row;
  if (outcome === null) return row;
  const states: Record<Outcome, number> = {
    queued: 1,
    awaiting: 1,
    sent: 3,
    failed: code === PROTECTED_ADDRESS ? 4 : 2,
    unknown: 2,
    withdrawn: 2,
  };
  return { ...row, call_up_status: states[outcome], incall_date: at };
}

export function sendingError(row: Sending): string | null {
  const { sending_channel: channel, sending_outcome: outcome, sending_code: code } = row;
  if (channel === null || (outcome !== "failed" && outcome !== "unknown")) return null;
  const { sending_reason: reason, sending_detail: detail } = row;
  return failureText({ channel: channel as ChannelName, outcome, code: code ?? 0, reason, detail });
}

/**
 * State of a discharge letter: 0 queued, 1 sent, 2 failed. Sent once mail or EDI has arrived, failed when both have.
 * The letter holds the last success and the number of sendings.
 */
export function dischargeSending<Row extends Sending & EdiSending & { status: number; error_message: string | null }>(
  row: Row,
): Row {
  const outcomesOf = [row.sending_outcome, row.edi_outcome].filter((outcome) => outcome !== null);
  const [first] = outcomesOf;
  if (first === undefined) return row;
  if (outcomesOf.includes("sent")) return { ...row, status: 1, error_message: null };
  if (outcomesOf.some((outcome) => outcome === "queued" || outcome === "awaiting"))
    return { ...row, status: 0, error_message: null };
  return { ...row, status: 2, error_message: sendingError(row) ?? row.edi_detail ?? outcomes[first] };
}

import { type ChannelName, type Outcome, outcomes } from "~/features/delivery/delivery-outcome";
import { OTHER_ERROR, PROTECTED_ADDRESS } from "~/features/delivery/delivery-status";
import { failureText } from "~/features/delivery/failure-texts";

export interface Sending {
  sendingChannel: string | null;
  sendingOutcome: Outcome | null;
  sendingCode: number | null;
  sendingDetail: string | null;
  sendingReason: string | null;
  sendingAt: string | null;
  sendingAttempts: number | null;
}

export const sendingColumns = [
  "sending.channel as sendingChannel",
  "sending.outcome as sendingOutcome",
  "sending.code as sendingCode",
  "sending.detail as sendingDetail",
  "sending.reason as sendingReason",
  "sending.sentAt as sendingAt",
  "sending.attempts as sendingAttempts",
] as const;

export interface EdiSending {
  ediOutcome: Outcome | null;
  ediDetail: string | null;
}

export const ediColumns = ["edi.outcome as ediOutcome", "edi.detail as ediDetail"] as const;

/** State (one of the eleven) and time of an appointment letter, invoice or estimate. */
export function letterSending<Row extends Sending & { status: number; sendDate: string | null }>(row: Row): Row {
  const { sendingOutcome: outcome, sendingCode: code, sendingAt: at } = row;
  if (outcome === null) return row;
  // A withdrawn message keeps the code of waiting.
  return { ...row, status: outcome === "withdrawn" ? OTHER_ERROR : (code ?? row.status), sendDate: at };
}

export function callUpSending<Row extends Sending & { callUpStatus: number; incallDate: string | null }>(
  row: Row,
): Row {
  const { sendingOutcome: outcome, sendingCode: code, sendingAt: at } = row;
  if (outcome === null) return row;
  const states: Record<Outcome, number> = {
    queued: 1,
    awaiting: 1,
    sent: 3,
    failed: code === PROTECTED_ADDRESS ? 4 : 2,
    unknown: 2,
    withdrawn: 2,
  };
  return { ...row, callUpStatus: states[outcome], incallDate: at };
}

export function sendingError(row: Sending): string | null {
  const { sendingChannel: channel, sendingOutcome: outcome, sendingCode: code } = row;
  if (channel === null || (outcome !== "failed" && outcome !== "unknown")) return null;
  const { sendingReason: reason, sendingDetail: detail } = row;
  return failureText({ channel: channel as ChannelName, outcome, code: code ?? 0, reason, detail });
}

/**
 * State of a discharge letter: 0 queued, 1 sent, 2 failed. Sent once mail or EDI has arrived, failed when both have.
 * The letter holds the last success and the number of sendings.
 */
export function dischargeSending<Row extends Sending & EdiSending & { status: number; errorMessage: string | null }>(
  row: Row,
): Row {
  const outcomesOf = [row.sendingOutcome, row.ediOutcome].filter((outcome) => outcome !== null);
  const [first] = outcomesOf;
  if (first === undefined) return row;
  if (outcomesOf.includes("sent")) return { ...row, status: 1, errorMessage: null };
  if (outcomesOf.some((outcome) => outcome === "queued" || outcome === "awaiting"))
    return { ...row, status: 0, errorMessage: null };
  return { ...row, status: 2, errorMessage: sendingError(row) ?? row.ediDetail ?? outcomes[first] };
}

import { isWorkingDay } from "~/features/opening-hours/opening-hours";
import { addDays } from "~/text/calendar";
import { localDate, localTime } from "~/text/dates";
import { type Deadlines, LAST_ARRIVAL } from "./deadlines";
import { NO_NEXT_DATE } from "./status";
import { CANCELLED_BY_SMS, IN_TREATMENT, TU, UNTRIAGED } from "./statuses";
import { isUrgent } from "./triage";

export interface DatedReferral {
  status: number;
  /** ISO 8601 in UTC. */
  statusSince: string | null;
  createDate: string;
  sentAt: string | null;
  deletedAt: string | null;
  isTest: boolean;
  /** `YYYY-MM-DD`, empty while it is not on hold. */
  holdUntil: string;
  operationDate: string | null;
  cancellationDate: string | null;
  referenceType: number;
  triageUrgency: number | null;
  triagedAt: string | null;
}

/**
 * The Copenhagen day (`YYYY-MM-DD`) by which something must happen: the days of the status and the urgency after the
 * referral got it, in treatment after the operation if that is later, but not before the end of a hold, nor before a
 * planned operation unless nobody has triaged it. A day off is moved to the next working day. Drafts, test referrals,
 * deleted and closed ones have none (docs/rules/never-silent.md).
 */
export function nextDateOf(row: DatedReferral, deadlines: Deadlines): string {
  // Others read TU-status as 'I behandling', so it waits for nothing until the patient cancels a time in it.
  const isCancelled = row.status === TU && row.cancellationDate !== null;
  const status = isCancelled ? CANCELLED_BY_SMS : row.status;
  const moment = new Date((isCancelled ? row.cancellationDate : row.statusSince) ?? row.createDate);
  const since = localDate(moment);
  const isOfBefore = Number(since.split("-").join("")) <= deadlines.urgencyCountsFrom;
  const byUrgency = !isOfBefore && isUrgent(row) ? deadlines.urgent : deadlines.ordinary;
  const days = byUrgency[status] === 0 && localTime(moment) > LAST_ARRIVAL ? 1 : byUrgency[status];
  if (days === undefined || (isCancelled && isOfBefore) || row.sentAt === null || row.deletedAt !== null || row.isTest)
    return NO_NEXT_DATE;
  const isRead = isOfBefore || row.triagedAt !== null || !UNTRIAGED.includes(row.status);
  const operation = isRead && hasTime(row) ? row.operationDate! : "";
  const from = row.status === IN_TREATMENT && operation > since ? operation : since;
  const due = [addDays(from, days), operation, row.holdUntil].reduce((latest, day) => (day > latest ? day : latest));
  return workdayFrom(due, deadlines.closedDays);
}

/** A cancelled time stays on the referral, so that staff see what was cancelled. */
const hasTime = ({ operationDate: day, cancellationDate: cancelled, status }: DatedReferral) =>
  day !== null && cancelled === null && status !== CANCELLED_BY_SMS;

const workdayFrom = (day: string, closedDays: readonly string[]): string =>
  isWorkingDay(day, closedDays) ? day : workdayFrom(addDays(day, 1), closedDays);

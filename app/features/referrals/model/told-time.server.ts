import { subHours } from "date-fns";
import { localDate } from "~/text/dates";
import { partsOfMoment } from "./operation-moment";
import { hasBegun, startOfMoment, timeToCome } from "./operation-start.server";
import type { ToldTime } from "./told-time";

interface PlannedReferral {
  operationDate: string | null;
  operationHour: number | null;
  operationMinute: number | null;
  cancellationDate: string | null;
  sentAt: string | null;
  deletedAt: string | null;
  isTest: boolean;
  tellUntil: string | null;
}

/** A person who calls later than this meets a patient who is on the way. */
const HOURS_TO_TELL = 2;

/**
 * The last Copenhagen day (`YYYY-MM-DD`) on which somebody must tell the patient that the plan has another time than
 * the one they were told, or none; null where they know it, and where nothing is known of what they were told
 * (docs/rules/told-times.md).
 */
export function tellUntil(row: PlannedReferral, told: ToldTime | undefined, now: Date): string | null {
  if (told === undefined || row.sentAt === null || row.deletedAt !== null || row.isTest) return null;
  const planned = timeToCome(row, now);
  const awaited = told.moment !== null && !hasBegun(told.moment, now) ? told.moment : null;
  if (planned === awaited) return null;
  // A time that is over was the first of several, unless the patient should have been told of another.
  const isStillToBeTold = row.tellUntil !== null && row.tellUntil >= localDate(now);
  if (awaited === null && told.how !== "cancelled" && !isStillToBeTold) return null;
  // Until both are over, the patient may come at the one or miss the other.
  const last = planned !== null && planned > (awaited ?? "") ? planned : awaited!;
  if (!isStillToBeTold && subHours(startOfMoment(last), HOURS_TO_TELL) <= now) return null;
  return partsOfMoment(last).day;
}

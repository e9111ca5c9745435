import { getDay, parseISO } from "date-fns";
import { startOfMoment } from "~/features/referrals/model/operation-start.server";
import { partsOfMoment } from "~/features/referrals/model/operation-moment";
import { momentThere } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { localDate, localHour } from "~/text/dates";
import { isHoliday } from "~/text/holidays";
import type { ReminderRule, ReminderSettings } from "./reminder-settings.server";

type Times = Pick<ReminderSettings, "quietFrom" | "quietTo" | "skipsHolidays">;

const SUNDAY = 0;

interface LocalHour {
  day: string;
  hour: number;
}

function isQuiet(hour: number, { quietFrom, quietTo }: Times): boolean {
  if (quietFrom === quietTo) return false;
  return quietFrom < quietTo ? hour >= quietFrom && hour < quietTo : hour >= quietFrom || hour < quietTo;
}

const isFreeDay = (day: string, { skipsHolidays }: Times) =>
  skipsHolidays && (getDay(parseISO(day)) === SUNDAY || isHoliday(day));

const isAllowed = ({ day, hour }: LocalHour, times: Times) => !isQuiet(hour, times) && !isFreeDay(day, times);

export const mayLeave = (now: Date, times: Times) => isAllowed({ day: localDate(now), hour: localHour(now) }, times);

const next = ({ day, hour }: LocalHour) => (hour === 23 ? { day: addDays(day, 1), hour: 0 } : { day, hour: hour + 1 });
const before = ({ day, hour }: LocalHour) =>
  hour === 0 ? { day: addDays(day, -1), hour: 23 } : { day, hour: hour - 1 };
const momentOf = ({ day, hour }: LocalHour) => momentThere(day, hour, 0);

const MAX_STEPS = 14 * 24;

function nearest(from: LocalHour, step: (at: LocalHour) => LocalHour, times: Times): LocalHour | null {
  let at = from;
  for (let steps = 0; steps < MAX_STEPS; steps += 1, at = step(at)) if (isAllowed(at, times)) return at;
  return null;
}

/**
 * When a reminder is due; null if never before the time. Sundays and holidays move it to the day before. A quiet hour
 * moves it to the next allowed one, or the last one before the appointment. @param moment `YYYY-MM-DD HH:MM` in
 * Copenhagen
 */
export function dueAt(moment: string, rule: Pick<ReminderRule, "daysBefore" | "hour">, times: Times): Date | null {
  const start = startOfMoment(moment);
  let day = addDays(partsOfMoment(moment).day, -rule.daysBefore);
  while (isFreeDay(day, times)) day = addDays(day, -1);
  const wanted = { day, hour: rule.hour };
  const later = nearest(wanted, next, times);
  if (later !== null && momentOf(later) < start) return momentOf(later);
  const earlier = nearest(wanted, before, times);
  return earlier !== null && momentOf(earlier) < start ? momentOf(earlier) : null;
}

const LATE_HOURS = 24;

/** Reminders of a time that are due and not too late, latest first. */
export function dueRules(moment: string, settings: ReminderSettings, now: Date): ReminderRule[] {
  if (now >= startOfMoment(moment)) return [];
  return settings.rules
    .flatMap((rule) => {
      const due = dueAt(moment, rule, settings);
      return due === null || due > now || now.getTime() - due.getTime() >= LATE_HOURS * 3_600_000
        ? []
        : [{ rule, due }];
    })
    .toSorted((one, other) => other.due.getTime() - one.due.getTime())
    .map(({ rule }) => rule);
}

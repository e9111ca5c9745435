import { getISODay, parseISO } from "date-fns";
import { addDays, isHoliday } from "~/text/calendar";
import { localDate, localTime, showDay } from "~/text/dates";

/** Monday first, as in ISO 8601. */
export const weekdays = ["mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag", "søndag"] as const;

/** `HH:MM` in Copenhagen; `to` is the first minute in which the clinic is closed. */
export interface Hours {
  from: string;
  to: string;
}

export interface OpeningHours {
  /** Seven, Monday first; null for a day on which the clinic is closed. */
  week: readonly (Hours | null)[];
  /** Days (`YYYY-MM-DD`) on which the clinic is closed beside public holidays. */
  closedDays: readonly string[];
}

/** What a person reads of it at a moment. */
export interface Opening extends Pick<OpeningHours, "week"> {
  isOpen: boolean;
  /** When it opens next, while it is closed; null if no day of the next year is open. `isToday`: in Copenhagen. */
  next: { day: string; at: string; isToday: boolean } | null;
}

const weekdayOf = (day: string) => getISODay(parseISO(day)) - 1;

/** Whether deadlines end on a day (`YYYY-MM-DD`): no weekend, no public holiday and no closed day of the clinic. */
export const isWorkingDay = (day: string, closedDays: readonly string[]) =>
  weekdayOf(day) < 5 && !isHoliday(day) && !closedDays.includes(day);

const A_YEAR = 366;

/** Whether the clinic is open at a moment, and when it opens next; null where no hours are set. */
export function openingAt({ week, closedDays }: OpeningHours, now: Date): Opening | null {
  if (week.every((hours) => hours === null)) return null;
  const [today, time] = [localDate(now), localTime(now)];
  const hoursOn = (day: string) => (isHoliday(day) || closedDays.includes(day) ? null : week[weekdayOf(day)]!);
  const hours = hoursOn(today);
  const isOpen = hours !== null && hours.from <= time && time < hours.to;
  const days = Array.from({ length: A_YEAR }, (_, ahead) => addDays(today, ahead));
  const day = isOpen ? undefined : days.find((each) => (each === today ? time < (hours?.from ?? "") : hoursOn(each)));
  return { week, isOpen, next: day === undefined ? null : { day, at: hoursOn(day)!.from, isToday: day === today } };
}

const shownTime = (time: string) => time.replace(/^0/, "").replace(":00", "").replace(":", ".");

/** As a field holds them: `8–15.30`. */
export const shownHours = (hours: Hours | null) =>
  hours === null ? "" : `${shownTime(hours.from)}–${shownTime(hours.to)}`;

/** `mandag til torsdag kl. 8–16 og fredag kl. 8–14`: following days with the same hours are one. */
function weekText(week: Opening["week"]): string {
  const spans: { days: string[]; hours: string }[] = [];
  week.forEach((of, index) => {
    const [hours, before] = [shownHours(of), spans[spans.length - 1]];
    if (before?.hours === hours) before.days.push(weekdays[index]!);
    else spans.push({ days: [weekdays[index]!], hours });
  });
  const texts = spans.flatMap(({ days, hours }) => {
    if (hours === "") return [];
    const [first, last] = [days[0]!, days[days.length - 1]!];
    const name = days.length === 1 ? first : `${first} ${days.length === 2 ? "og" : "til"} ${last}`;
    return [`${name} kl. ${hours}`];
  });
  const last = texts.pop()!;
  return texts.length === 0 ? last : `${texts.join(", ")} og ${last}`;
}

/** When the clinic is open, and that it is closed now. */
export function openingText({ week, isOpen, next }: Opening): string {
  const closed = next
    ? ` Klinikken er lukket nu og åbner igen ${next.isToday ? "i dag" : `${weekdays[weekdayOf(next.day)]} den ${showDay(next.day).slice(0, 6)}`} kl. ${shownTime(next.at)}.`
    : " Klinikken er lukket nu.";
  return `Klinikken har åbent ${weekText(week)}.${isOpen ? "" : closed}`;
}

import { isWeekend, parseISO } from "date-fns";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import type { Portal } from "~/portal.server";
import { addDays } from "~/text/calendar";
import { momentThere } from "~/text/copenhagen.server";
import { localDate } from "~/text/dates";
import type { FilledCase } from "./content/clinical-texts.server";
import type { DrawnFormat, DrawnType } from "./content/drawn-images.server";
import type { DemoPatient } from "./content/people.server";
import type { Random } from "./content/seeded-random.server";
import type { DemoProviders } from "./demo-providers.server";

export type Pictures = Map<DrawnType, { format: DrawnFormat; bytes: Buffer }[]>;

/**
 * The clock of the demo's stories. It counts in working days: Monday to Friday, 7.10 to 15.30 in Copenhagen. From 0 to
 * 1 is the present day, or the last working day; -1.5 is the noon of the second day before it.
 */
export interface StoryClock {
  at: Date;
  now(): Date;
  /** Moves forward to a time in working days; never back. */
  set(when: number): void;
  /** Moves forward, but never beyond the present. */
  pass(minutes: number): void;
  /** The date of a working day, `YYYY-MM-DD`. */
  day(number: number): string;
  momentOf(when: number): Date;
}

const PRESENT = 1;
const WORKDAYS = 5;
const WORKDAY_MS = 500 * 60_000;

export function createStoryClock(today: Date): StoryClock {
  const openings = new Map<string, number>();
  const opens = (day: string) => {
    const opening = openings.get(day) ?? momentThere(day, 7, 10).getTime();
    openings.set(day, opening);
    return opening;
  };
  const closes = (day: string) => Math.min(opens(day) + WORKDAY_MS, today.getTime());
  let last = localDate(today);
  while (isWeekend(parseISO(last)) || opens(last) >= today.getTime()) last = addDays(last, -1);
  const weekday = parseISO(last).getDay() - 1;
  const day = (number: number) => {
    const week = Math.floor((weekday + number) / WORKDAYS);
    return addDays(last, number + 2 * week);
  };
  const momentOf = (when: number) => {
    const date = day(Math.floor(when));
    return new Date(opens(date) + (when - Math.floor(when)) * (closes(date) - opens(date)));
  };
  const advance = (clock: StoryClock, to: number) => {
    clock.at = new Date(Math.min(Math.max(clock.at.getTime(), to), today.getTime()));
  };
  return {
    at: new Date(0),
    now() {
      return this.at;
    },
    set(when) {
      advance(this, momentOf(when).getTime());
    },
    pass(minutes) {
      advance(this, this.at.getTime() + minutes * 60_000);
    },
    day,
    momentOf,
  };
}

/** A story yields the time of its next act, in working days, and plays the act when it is resumed. */
export type Tale = AsyncGenerator<number, void, void>;

/**
 * Plays stories side by side, the earliest act first, so that the ids of rows rise with their times. A story ends at
 * the present. `between` runs before every act.
 */
export async function playInOrder(clock: StoryClock, tales: Tale[], between: () => Promise<void>): Promise<void> {
  const waiting: { when: number; tale: Tale }[] = [];
  const advance = async (tale: Tale) => {
    const { done, value: when } = await tale.next();
    if (done || when >= PRESENT) return;
    const later = waiting.findIndex((other) => other.when > when);
    waiting.splice(later < 0 ? waiting.length : later, 0, { when, tale });
  };
  for (const tale of tales) await advance(tale);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    clock.set(next.when);
    await between();
    await advance(next.tale);
  }
}

/** One referral of the demo with its people and the portal at its dates. */
export interface Story {
  past: Portal;
  providers: DemoProviders;
  clock: StoryClock;
  random: Random;
  patient: DemoPatient;
  pictures: Pictures;
  case: FilledCase;
  writer: Person;
  referrer: Person;
  staff: Staff;
  ediId: string | null;
  waiting: Set<number>;
}

export interface Staff {
  admin: Person;
  surgeons: Person[];
}

export const callerOf = (actor: Caller["actor"], files?: Caller["files"]): Caller => ({
  actor,
  site: "inside",
  address: "127.0.0.1",
  sessionId: null,
  ...(files ? { files } : {}),
});

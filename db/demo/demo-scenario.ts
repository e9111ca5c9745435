import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import type { Portal } from "~/portal.server";
import type { FilledCase } from "./content/clinical-texts";
import type { DrawnFormat, DrawnType } from "./content/drawn-images.server";
import type { DemoPatient } from "./content/people";
import type { Random } from "./content/seeded-random";
import type { DemoProviders } from "./demo-providers.server";

export type Pictures = Map<DrawnType, { format: DrawnFormat; bytes: Buffer }[]>;

/** The clock of the demo's story; its times lie in working hours. */
export interface StoryClock {
  /** UTC, as it is shown. */
  at: Date;
  /** Sets a moment of the story's day, also at night. */
  set(moment: Date): void;
  /** Lets hours pass, but never beyond the present. */
  pass(hours: number): void;
  now(): Date;
}

const [HOUR, DAY] = [3_600_000, 86_400_000];
const OPENS = 6.5 * HOUR;
const OPEN_FOR = 9 * HOUR;

/**
 * Starts at `today`; other moments are moved into the working hours of their day, in order and never beyond the
 * present.
 */
export function createStoryClock(today: Date): StoryClock {
  return {
    at: today,
    set(moment) {
      const time = moment.getTime() % DAY;
      const atWork = new Date(moment.getTime() - time + OPENS + (time / DAY) * OPEN_FOR);
      this.at = atWork < today ? atWork : moment;
    },
    pass(hours) {
      const later = new Date(this.at.getTime() + hours * HOUR);
      if (later < today) this.at = later;
    },
    now() {
      return this.at;
    },
  };
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
  staff: Person[];
  ediId: string | null;
}

export const callerOf = (actor: Person, files?: Caller["files"]): Caller => ({
  actor,
  site: "inside",
  address: "",
  sessionId: null,
  ...(files ? { files } : {}),
});

import type { Person } from "~/access/actor";
import type { Caller } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import type { FilledCase } from "./content/clinical-texts";
import type { DrawnFormat, DrawnType } from "./content/drawn-images.server";
import type { DemoPatient } from "./content/people";
import type { Random } from "./content/seeded-random";

export type Pictures = Map<DrawnType, { format: DrawnFormat; bytes: Buffer }[]>;

/** One referral of the demo: who, what, and the portal whose watch shows its days. */
export interface Story {
  past: Portal;
  clock: { at: Date };
  random: Random;
  patient: DemoPatient;
  pictures: Pictures;
  case: FilledCase;
  writer: Person;
  referrer: Person;
  staff: Person[];
  ediId: string | null;
}

export const callerOf = (actor: Person, files?: Caller["files"]): Caller => ({ actor, door: "inside", address: "", sessionId: null, ...(files ? { files } : {}) });

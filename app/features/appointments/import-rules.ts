import { showDay } from "~/text/dates";
import { showCount } from "~/text/numbers";

export const importStatuses = [
  { value: 0, label: "Tid importeret", tone: "ready", icon: "check" },
  { value: 1, label: "Patient ikke fundet", tone: "waiting", icon: "alert" },
  { value: 2, label: "Ugyldigt CPR", tone: "waiting", icon: "alert" },
  { value: 3, label: "Ukendt ekstern kode", tone: "warn", icon: "alert" },
  { value: 4, label: "Ugyldig dato", tone: "waiting", icon: "alert" },
  { value: 5, label: "Flere åbne henvisninger", tone: "waiting", icon: "alert" },
  { value: 6, label: "Tid opdateret", tone: "info", icon: "check" },
  { value: 7, label: "Uændret", tone: "ok", icon: "alert" },
  { value: 8, label: "Tid aflyst", tone: "treatment", icon: "alert" },
  { value: 9, label: "Linjen kan ikke læses", tone: "waiting", icon: "alert" },
  { value: 10, label: "Henvisningen er afsluttet", tone: "waiting", icon: "alert" },
  { value: 11, label: "Ikke importeret", tone: "waiting", icon: "alert" },
] as const;

export function countOutcomes(status: number, count: number, isWaiting: boolean): string {
  const [one, many, done, planned] = counted[status] ?? ["linje", "linjer", "", ""];
  return `${showCount(count)} ${count === 1 ? one : many} ${isWaiting ? planned : done}`.trim();
}

const counted: Readonly<Record<number, readonly [one: string, many: string, done: string, planned: string]>> = {
  0: ["tid", "tider", "importeret", "importeres"],
  1: ["patient", "patienter", "ikke fundet", "ikke fundet"],
  2: ["med", "med", "ugyldigt CPR-nummer", "ugyldigt CPR-nummer"],
  3: ["med", "med", "ukendt ekstern kode", "ukendt ekstern kode"],
  4: ["med", "med", "ugyldig dato", "ugyldig dato"],
  5: ["med", "med", "flere åbne henvisninger", "flere åbne henvisninger"],
  6: ["tid", "tider", "opdateret", "opdateres"],
  7: ["uændret", "uændrede", "", ""],
  8: ["tid", "tider", "aflyst", "aflyses"],
  9: ["linje", "linjer", "kan ikke læses", "kan ikke læses"],
  10: ["henvisning", "henvisninger", "er afsluttet", "er afsluttet"],
  11: ["linje", "linjer", "ikke importeret", "importeres ikke"],
};

const plannedLabels: Readonly<Record<number, string>> = {
  0: "Tid importeres",
  6: "Tid opdateres",
  8: "Tid aflyses",
};

export const plannedLabel = ({ value, label }: { value: number; label: string }) => plannedLabels[value] ?? label;

export function describeOutcome(status: number, note: string | null): string {
  const label = importStatuses.find(({ value }) => value === status)?.label ?? "";
  return note === null ? label : `${label}. ${note}`;
}

export const IMPORTED = 0;
export const NOT_FOUND = 1;
export const INVALID_CPR = 2;
export const UNKNOWN_CODE = 3;
export const INVALID_DATE = 4;
export const SEVERAL_REFERRALS = 5;
export const UPDATED = 6;
export const UNCHANGED = 7;
export const CANCELLED = 8;
export const UNREADABLE = 9;
export const CLOSED_REFERRAL = 10;
export const NOT_IMPORTED = 11;

export const changesPlan = (status: number) => [IMPORTED, UPDATED, CANCELLED].includes(status);

export const PLAN_DAYS = 1;

export const fileStates = { waiting: 0, imported: 1, failed: 2, importing: 3, arriving: 4 } as const;

export const FILE_UNKNOWN = "Filen med tider findes ikke, eller du har ikke adgang til den.";

/** Answer: the time is a further one, not a move. */
export const EXTRA = "ekstra";

export const questionName = (rowId: number) => `svar${rowId}`;

/** Answer: none of the surgeons of that name. */
export const NO_SURGEON = "ingen";

/** One question for all lines that may mean the same surgeons. */
export const surgeonQuestionName = (surgeons: readonly number[]) => `kirurg${surgeons.join("-")}`;

/** What in a line makes it doubtful. Stored in clear, so it names nobody. */
export const doubts = ["status", "surgeon", "day", "name"] as const;
export type Doubt = (typeof doubts)[number];

export const YES = "ja";
export const NO = "nej";
/** Answer to an unknown word of the status column: the times are cancelled. */
export const MEANS_CANCELLED = "aflyst";

interface DoubtfulLine {
  id: number;
  unknownStatus?: string;
  surgeonName?: string;
}

/** One question for all lines of a word, a surgeon or days; each other name has its own. */
export function doubtQuestionName(doubt: Doubt, { id, unknownStatus = "", surgeonName = "" }: DoubtfulLine): string {
  if (doubt === "status") return `status-${fieldName(unknownStatus)}`;
  if (doubt === "surgeon") return `behandler-${fieldName(surgeonName)}`;
  return doubt === "day" ? "dage" : `navn${id}`;
}

/** Words of the file in the name of a field, where dots and brackets would mean nested values. */
const fieldName = (text: string) =>
  text.toLowerCase().replace(/[^a-z\dæøå]/g, (sign) => `_${sign.codePointAt(0)!.toString(36)}`);

export interface PlannedTime {
  id: number;
  date: string;
  time: string | null;
}

export const showPlanned = ({ date, time }: Pick<PlannedTime, "date" | "time">) =>
  `${showDay(date)}${time === null ? "" : ` kl. ${time.replace(":", ".")}`}`;

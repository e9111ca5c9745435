import { showDay } from "~/text/dates";

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
] as const;

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

export const changesPlan = (status: number) => [IMPORTED, UPDATED, CANCELLED].includes(status);

export const PLAN_DAYS = 1;

export const fileStates = { waiting: 0, imported: 1, failed: 2, importing: 3, arriving: 4 } as const;

export const FILE_UNKNOWN = "Filen med tider findes ikke, eller du har ikke adgang til den.";

/** Answer: the time is a further one, not a move. */
export const EXTRA = "ekstra";

export const questionName = (rowId: number) => `svar${rowId}`;

export interface PlannedTime {
  id: number;
  date: string;
  time: string | null;
}

export const showPlanned = ({ date, time }: Pick<PlannedTime, "date" | "time">) =>
  `${showDay(date)}${time === null ? "" : ` kl. ${time.replace(":", ".")}`}`;

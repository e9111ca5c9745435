import type { WithRoles } from "~/access/actor";
import { can } from "~/access/permissions";

export type StatusTone = "new" | "urgent" | "ready" | "waiting" | "treatment" | "stopped" | "closed";

export interface Status {
  value: number;
  label: string;
  tone: StatusTone;
  icon:
    | "awaits-triage"
    | "doctor"
    | "urgent"
    | "check"
    | "sleep"
    | "call-up"
    | "awaits-material"
    | "phone"
    | "phone-again"
    | "cancelled-time"
    | "declined"
    | "in-treatment"
    | "new-time"
    | "phone-return"
    | "phone-off"
    | "tu"
    | "closed";
  brief?: string;
  /** Text of the status as the last event that a referrer sees, where the label is the clinic's jargon. */
  event?: string;
  /** Tells the referrer what the status means. Mails contain it beside the referral's number, without a name. */
  meaning: string;
  /** The meaning while nobody has told the patient. */
  untold?: string;
  othersSee?: number;
}

const UNTOLD = "Patienten skal indkaldes.";

/** The 17 statuses in display order (docs/rules/statuses.md); select, chip, filter and export use it. */
export const statuses: readonly Status[] = [
  {
    value: 0,
    label: "Afventer visitering",
    tone: "new",
    icon: "awaits-triage",
    event: "Modtaget",
    meaning: "Klinikken har modtaget henvisningen og læser den.",
  },
  {
    value: 16,
    label: "Afventer overlæge",
    tone: "new",
    icon: "doctor",
    event: "Hos overlægen",
    meaning: "En overlæge vurderer henvisningen.",
  },
  {
    value: 1,
    label: "Visiteret haster",
    tone: "urgent",
    icon: "urgent",
    meaning: "Henvisningen er vurderet og haster. Patienten indkaldes først.",
  },
  {
    value: 2,
    label: "Visiteret",
    tone: "ready",
    icon: "check",
    meaning: "Henvisningen er vurderet. Patienten venter på indkaldelse.",
  },
  {
    value: 14,
    label: "Visiteret til GA",
    tone: "ready",
    icon: "sleep",
    event: "Visiteret til fuld narkose",
    meaning: "Behandlingen skal ske i fuld narkose. Patienten står på narkoselisten.",
  },
  {
    value: 3,
    label: "Klar til indkaldelse",
    tone: "ready",
    icon: "call-up",
    meaning: "Patienten indkaldes snart.",
  },
  {
    value: 4,
    label: "Afventer yderligere materiale",
    brief: "Afventer materiale",
    tone: "waiting",
    icon: "awaits-material",
    event: "Mangler materiale",
    meaning: "Klinikken mangler materiale fra dig.",
  },
  {
    value: 5,
    label: "Indkaldt, afventer opring",
    tone: "waiting",
    icon: "phone",
    event: "Indkaldt",
    meaning: "Patienten har fået besked og skal ringe til klinikken.",
    untold: UNTOLD,
  },
  {
    value: 9,
    label: "Indkaldt 2 gang, afventer",
    brief: "Indkaldt 2 gang",
    tone: "waiting",
    icon: "phone-again",
    event: "Indkaldt igen",
    meaning: "Patienten er rykket og skal ringe til klinikken.",
    untold: UNTOLD,
  },
  {
    value: 13,
    label: "SMS - aflyst tid",
    tone: "stopped",
    icon: "cancelled-time",
    event: "Afbud",
    meaning: "Patienten har meldt afbud. Klinikken finder en ny tid.",
  },
  {
    value: 8,
    label: "Ønsker ikke behandlingen",
    tone: "stopped",
    icon: "declined",
    meaning: "Patienten ønsker ikke behandlingen.",
  },
  {
    value: 6,
    label: "I behandling",
    tone: "treatment",
    icon: "in-treatment",
    meaning: "Patienten er i behandling.",
  },
  {
    value: 15,
    label: "I behandling, skal kontaktes for ny tid",
    brief: "Kontaktes for ny tid",
    tone: "treatment",
    icon: "new-time",
    event: "Skal have ny tid",
    meaning: "Klinikken finder en ny tid til patienten.",
  },
  {
    value: 12,
    label: "Afventer patienten ringer tilbage for tid",
    brief: "Patienten ringer",
    tone: "waiting",
    icon: "phone-return",
    event: "Patienten ringer tilbage",
    meaning: "Patienten ringer selv tilbage om en tid.",
  },
  {
    value: 11,
    label: "Har forsøgt at kontakte via alle kanaler uden held",
    brief: "Ikke truffet",
    tone: "stopped",
    icon: "phone-off",
    meaning: "Klinikken kan ikke få fat i patienten. Bed patienten ringe til klinikken.",
  },
  {
    value: 10,
    label: "TU-status",
    tone: "closed",
    icon: "tu",
    meaning: "Patienten er i behandling.",
    othersSee: 6,
  },
  {
    value: 7,
    label: "Afsluttet",
    tone: "closed",
    icon: "closed",
    meaning: "Behandlingen er afsluttet.",
  },
];

export const AWAITING_TRIAGE = 0;
export const AWAITING_CONSULTANT = 16;
export const TRIAGED_URGENT = 1;
export const TRIAGED = 2;
export const TRIAGED_FOR_ANAESTHESIA = 14;
export const READY_FOR_CALL_UP = 3;
export const AWAITING_MATERIAL = 4;
export const CALLED_UP = 5;
export const CALLED_UP_AGAIN = 9;
export const IN_TREATMENT = 6;
export const NEEDS_NEW_TIME = 15;
export const PATIENT_RINGS_BACK = 12;
export const TU = 10;
export const NOT_REACHED = 11;
export const CANCELLED_BY_SMS = 13;
export const CLOSED = 7;
/** 'Ønsker ikke behandlingen'; the only status with a comment. */
export const DECLINED = 8;
export const SURGEONS_WORK = [AWAITING_TRIAGE, AWAITING_CONSULTANT, IN_TREATMENT];
/** Statuses in which nobody has triaged the referral. Triage is no fact of its own, so material asked for after it counts too. */
export const UNTRIAGED = [AWAITING_TRIAGE, AWAITING_CONSULTANT, AWAITING_MATERIAL];
export const WAITING_FOR_TIME = [READY_FOR_CALL_UP, PATIENT_RINGS_BACK, NEEDS_NEW_TIME];
export const WITHOUT_TIME = [CLOSED, DECLINED, TU, CANCELLED_BY_SMS];

/** Names chosen by staff: status 16 shows a person's name. */
export interface StatusSettings {
  status16Label: string;
}

/** The status as the reader sees it; internal statuses are hidden from others. */
export function visibleStatus(value: number, actor: WithRoles): number {
  return shownStatus(value, can(actor, "referral.readInternal"));
}

/**
 * Since when it has the visible status (ISO). Null if unknown, and for a status that also hides another one: a date on
 * some would tell them apart.
 */
export function knownSince(row: { status: number; statusSince: string | null }, actor: WithRoles): string | null {
  return isShownForAnother(row.status, actor) ? null : row.statusSince;
}

/** The day by which something must happen, `YYYY-MM-DD`. Null where nothing must, and where `knownSince` is. */
export function knownNextDate(row: { status: number; nextDueOn: string }, actor: WithRoles): string | null {
  return row.nextDueOn === NO_NEXT_DATE || isShownForAnother(row.status, actor) ? null : row.nextDueOn;
}

export const statusesWithoutKnownDate = (actor: WithRoles): number[] =>
  statuses.map(({ value }) => value).filter((value) => isShownForAnother(value, actor));

/** The next date of a referral that awaits nothing: it is sorted last and never past. */
export const NO_NEXT_DATE = "9999-12-31";

function isShownForAnother(status: number, actor: WithRoles): boolean {
  const visible = visibleStatus(status, actor);
  return !can(actor, "referral.readInternal") && statuses.some(({ othersSee }) => othersSee === visible);
}

/**
 * Whether the referral is sorted first in its status, because requested material arrived and the status is unchanged.
 */
export const isRecalled = (row: { recalledAt: string | null; statusSince: string | null }) =>
  row.recalledAt !== null && row.recalledAt === row.statusSince;

/** The hold's day (`YYYY-MM-DD`) in the present status, or that it has ended; empty if not on hold. */
export function holdOf(
  { holdUntil: until }: { holdUntil: string },
  today: string,
): { heldUntil?: string; isBackFromHold?: true } {
  if (until === "") return {};
  return until > today ? { heldUntil: until } : { isBackFromHold: true };
}

function shownStatus(value: number, seesInternal: boolean): number {
  const { othersSee = value } = statuses.find((status) => status.value === value) ?? {};
  return seesInternal ? value : othersSee;
}

export function storedStatuses(chosen: readonly number[], actor: WithRoles): number[] {
  return statuses.map(({ value }) => value).filter((value) => chosen.includes(visibleStatus(value, actor)));
}

export function statusLabel(value: number, settings: StatusSettings, actor: WithRoles): string {
  return visibleLabel(visibleStatus(value, actor), settings);
}

export function visibleLabel(visible: number, settings: StatusSettings): string {
  if (visible === AWAITING_CONSULTANT) return settings.status16Label;
  return statuses.find((status) => status.value === visible)?.label ?? `Status ${visible}`;
}

/** Whether the status says that the patient was told, which only a call-up or the telephone makes true. */
export const saysTold = (value: number): boolean =>
  statuses.find((status) => status.value === value)?.untold !== undefined;

export const meaningOf = ({ meaning, untold }: Pick<Status, "meaning" | "untold">, isTold: boolean): string =>
  isTold ? meaning : (untold ?? meaning);

/** Meaning of a visible status to a referrer; empty for an unknown value. */
export function statusMeaning(visible: number, { isTold }: { isTold: boolean }): string {
  const status = statuses.find(({ value }) => value === visible);
  return status === undefined ? "" : meaningOf(status, isTold);
}

export function statusEvent(visible: number): string {
  const { event, brief, label } = statuses.find(({ value }) => value === visible) ?? {};
  return event ?? brief ?? label ?? `Status ${visible}`;
}

/** Tone and icon of a status; an unknown value must not break a list. */
export const statusLook = (value: number): Pick<Status, "tone" | "icon"> =>
  statuses.find((status) => status.value === value) ?? { tone: "closed", icon: "closed" };

export type StatusOption = Omit<Status, "event" | "othersSee">;

export function namedStatuses(settings: StatusSettings, seesInternal: boolean): StatusOption[] {
  return statuses
    .filter(({ value }) => value === shownStatus(value, seesInternal))
    .map(({ value, brief, tone, icon, meaning, untold }) => ({
      value,
      tone,
      icon,
      meaning,
      untold,
      label: visibleLabel(value, settings),
      brief,
    }));
}

const allBut = (...hidden: number[]) =>
  statuses.flatMap(({ value }) => (hidden.includes(value) ? [] : value)).sort((a, b) => a - b);

const STAFF_DEFAULT = allBut(CLOSED, TU);
const OTHERS_DEFAULT = allBut(TU, TRIAGED_FOR_ANAESTHESIA);

export function defaultStatuses(actor: WithRoles): number[] {
  return can(actor, "referral.readInternal") ? STAFF_DEFAULT : OTHERS_DEFAULT;
}

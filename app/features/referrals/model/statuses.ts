/** A status to set, the form that calls the patient up, or its button 'pr. telefon'. */
export type NextStep = number | "callUp" | "timeByPhone";

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
  /** It says that the patient was told, which only a call-up or the telephone makes true. */
  saysTold?: true;
  othersSee?: number;
  /** Days within which something must happen, unless the settings say otherwise; null where nothing must. */
  days: number | null;
  /** The same of an urgent referral. 0: the day on which it came, or the next working day if it came late. */
  urgentDays: number | null;
  /** Whether somebody has triaged a referral that gets it. */
  isTriaged: boolean;
  /** Likely next steps, likeliest first; the select still has all statuses. A call-up sets 5 and 9, no step does. */
  next: readonly NextStep[];
  /** What a call-up makes of it; absent where it stays. */
  afterCallUp?: number;
  /** What it becomes when the file of times cancels its time and has no other; absent where it stays. */
  afterLostTime?: number;
}

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

const table = [
  {
    value: AWAITING_TRIAGE,
    label: "Afventer visitering",
    tone: "new",
    icon: "awaits-triage",
    event: "Modtaget",
    meaning: "Klinikken har modtaget henvisningen og læser den.",
    days: 3,
    urgentDays: 0,
    isTriaged: false,
    next: [TRIAGED, AWAITING_MATERIAL, TRIAGED_URGENT],
  },
  {
    value: AWAITING_CONSULTANT,
    label: "Afventer overlæge",
    tone: "new",
    icon: "doctor",
    event: "Hos overlægen",
    meaning: "En overlæge vurderer henvisningen.",
    days: 5,
    urgentDays: 1,
    isTriaged: false,
    next: [TRIAGED, AWAITING_MATERIAL, TRIAGED_URGENT],
  },
  {
    value: TRIAGED_URGENT,
    label: "Visiteret haster",
    tone: "urgent",
    icon: "urgent",
    meaning: "Henvisningen er vurderet og haster. Patienten indkaldes først.",
    days: 1,
    urgentDays: 1,
    isTriaged: true,
    next: [READY_FOR_CALL_UP, AWAITING_MATERIAL],
    afterCallUp: CALLED_UP,
  },
  {
    value: TRIAGED,
    label: "Visiteret",
    tone: "ready",
    icon: "check",
    meaning: "Henvisningen er vurderet. Patienten venter på indkaldelse.",
    days: 30,
    urgentDays: 2,
    isTriaged: true,
    next: [READY_FOR_CALL_UP, AWAITING_MATERIAL],
    afterCallUp: CALLED_UP,
  },
  {
    value: TRIAGED_FOR_ANAESTHESIA,
    label: "Visiteret til GA",
    tone: "ready",
    icon: "sleep",
    event: "Visiteret til fuld narkose",
    meaning: "Behandlingen skal ske i fuld narkose. Patienten står på narkoselisten.",
    days: 60,
    urgentDays: 7,
    isTriaged: true,
    next: [READY_FOR_CALL_UP, AWAITING_MATERIAL],
    afterCallUp: CALLED_UP,
    afterLostTime: NEEDS_NEW_TIME,
  },
  {
    value: READY_FOR_CALL_UP,
    label: "Klar til indkaldelse",
    tone: "ready",
    icon: "call-up",
    meaning: "Patienten indkaldes snart.",
    days: 7,
    urgentDays: 1,
    isTriaged: true,
    next: ["callUp", "timeByPhone", AWAITING_MATERIAL],
    afterCallUp: CALLED_UP,
    afterLostTime: NEEDS_NEW_TIME,
  },
  {
    value: AWAITING_MATERIAL,
    label: "Afventer yderligere materiale",
    brief: "Afventer materiale",
    tone: "waiting",
    icon: "awaits-material",
    event: "Mangler materiale",
    meaning: "Klinikken mangler materiale fra dig.",
    days: 21,
    urgentDays: 2,
    isTriaged: false,
    next: [TRIAGED],
  },
  {
    value: CALLED_UP,
    label: "Indkaldt, afventer opring",
    tone: "waiting",
    icon: "phone",
    event: "Indkaldt",
    meaning: "Patienten har fået besked og skal ringe til klinikken.",
    saysTold: true,
    days: 14,
    urgentDays: 2,
    isTriaged: true,
    next: [IN_TREATMENT, "callUp"],
    afterCallUp: CALLED_UP_AGAIN,
    afterLostTime: NEEDS_NEW_TIME,
  },
  {
    value: CALLED_UP_AGAIN,
    label: "Indkaldt 2 gang, afventer",
    brief: "Indkaldt 2 gang",
    tone: "waiting",
    icon: "phone-again",
    event: "Indkaldt igen",
    meaning: "Patienten er rykket og skal ringe til klinikken.",
    saysTold: true,
    days: 14,
    urgentDays: 2,
    isTriaged: true,
    next: [IN_TREATMENT, NOT_REACHED],
    afterLostTime: NEEDS_NEW_TIME,
  },
  {
    value: CANCELLED_BY_SMS,
    label: "SMS - aflyst tid",
    tone: "stopped",
    icon: "cancelled-time",
    event: "Afbud",
    meaning: "Patienten har meldt afbud. Klinikken finder en ny tid.",
    days: 5,
    urgentDays: 1,
    isTriaged: false,
    next: ["callUp", PATIENT_RINGS_BACK],
    afterCallUp: CALLED_UP,
  },
  {
    value: DECLINED,
    label: "Ønsker ikke behandlingen",
    tone: "stopped",
    icon: "declined",
    meaning: "Patienten ønsker ikke behandlingen.",
    days: null,
    urgentDays: null,
    isTriaged: false,
    next: [CLOSED],
  },
  {
    value: IN_TREATMENT,
    label: "I behandling",
    tone: "treatment",
    icon: "in-treatment",
    meaning: "Patienten er i behandling.",
    days: 30,
    urgentDays: 30,
    isTriaged: true,
    next: [CLOSED, NEEDS_NEW_TIME],
    afterLostTime: NEEDS_NEW_TIME,
  },
  {
    value: NEEDS_NEW_TIME,
    label: "I behandling, skal kontaktes for ny tid",
    brief: "Kontaktes for ny tid",
    tone: "treatment",
    icon: "new-time",
    event: "Skal have ny tid",
    meaning: "Klinikken finder en ny tid til patienten.",
    days: 5,
    urgentDays: 2,
    isTriaged: true,
    next: [IN_TREATMENT, "callUp"],
  },
  {
    value: PATIENT_RINGS_BACK,
    label: "Afventer patienten ringer tilbage for tid",
    brief: "Patienten ringer",
    tone: "waiting",
    icon: "phone-return",
    event: "Patienten ringer tilbage",
    meaning: "Patienten ringer selv tilbage om en tid.",
    days: 14,
    urgentDays: 2,
    isTriaged: true,
    next: [IN_TREATMENT, NOT_REACHED],
    afterLostTime: NEEDS_NEW_TIME,
  },
  {
    value: NOT_REACHED,
    label: "Har forsøgt at kontakte via alle kanaler uden held",
    brief: "Ikke truffet",
    tone: "stopped",
    icon: "phone-off",
    meaning: "Klinikken kan ikke få fat i patienten. Bed patienten ringe til klinikken.",
    days: 14,
    urgentDays: 2,
    isTriaged: true,
    next: [CLOSED],
    afterCallUp: CALLED_UP,
  },
  {
    value: TU,
    label: "TU-status",
    tone: "closed",
    icon: "tu",
    meaning: "Patienten er i behandling.",
    othersSee: IN_TREATMENT,
    days: null,
    urgentDays: null,
    isTriaged: false,
    next: [CLOSED],
  },
  {
    value: CLOSED,
    label: "Afsluttet",
    tone: "closed",
    icon: "closed",
    meaning: "Behandlingen er afsluttet.",
    days: null,
    urgentDays: null,
    isTriaged: false,
    next: [],
  },
] as const satisfies readonly Status[];

export type StatusValue = (typeof table)[number]["value"];

/** The 17 statuses in display order (docs/rules/statuses.md); select, chip, filter and export use it. */
export const statuses: readonly Status[] = table;

const valuesOf = (isOne: (status: Status) => boolean) => statuses.filter(isOne).map(({ value }) => value);

/** Statuses that say that somebody has triaged the referral. */
export const AFTER_TRIAGE = valuesOf(({ isTriaged }) => isTriaged);
/** Statuses in which nothing is to happen any more. */
export const ENDED = valuesOf(({ days }) => days === null);
/** What a status becomes when the file of times cancels its only time; null where it stays. */
export const afterLostTime = (status: number): number | null =>
  statuses.find(({ value }) => value === status)?.afterLostTime ?? null;
export const SURGEONS_WORK = [AWAITING_TRIAGE, AWAITING_CONSULTANT, IN_TREATMENT];
/** Statuses that await triage, or what it needs. */
export const UNTRIAGED = [AWAITING_TRIAGE, AWAITING_CONSULTANT, AWAITING_MATERIAL];
/** Statuses in which `triagedAt` says whether a referral still awaits triage: a patient's cancellation triages nobody. */
export const MAY_AWAIT_TRIAGE = [...UNTRIAGED, CANCELLED_BY_SMS];
export const WAITING_FOR_TIME = [READY_FOR_CALL_UP, PATIENT_RINGS_BACK, NEEDS_NEW_TIME];
export const WITHOUT_TIME = [CLOSED, DECLINED, TU, CANCELLED_BY_SMS];

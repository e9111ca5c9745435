import { localDate } from "~/text/dates";
import { saysTold } from "./status";
import { CLOSED, DECLINED, IN_TREATMENT, READY_FOR_CALL_UP, type StatusValue, type TU } from "./statuses";

/** Words of the patient's pages. Others may open a link, so they name no treatment. Kept out of the staff's scripts. */

interface PatientStatus {
  says: string;
  /** Who acts next, which decides what the next date means to the patient; null where no date is shown. */
  next: "clinicWrites" | "clinicLooks" | "patientCalls" | null;
}

const CALL_US = "Ring til os, så finder vi en tid.";

/** By the status that others than staff see. */
const statuses: Readonly<Record<Exclude<StatusValue, typeof TU>, PatientStatus>> = {
  0: { says: "Vi har modtaget henvisningen og læser den.", next: "clinicLooks" },
  16: { says: "Vi er ved at vurdere henvisningen.", next: "clinicLooks" },
  1: { says: "Vi har vurderet henvisningen, og du hører snart fra os.", next: "clinicWrites" },
  2: { says: "Vi har vurderet henvisningen. Du er i køen til en tid.", next: "clinicWrites" },
  14: { says: "Vi har vurderet henvisningen. Du er i køen til en tid.", next: "clinicWrites" },
  3: { says: "Det er snart din tur. Vi skriver til dig om en tid.", next: "clinicWrites" },
  4: { says: "Vi har bedt den, der henviste dig, om mere.", next: "clinicLooks" },
  5: { says: `Vi har skrevet til dig. ${CALL_US}`, next: "patientCalls" },
  9: { says: `Vi har skrevet til dig igen. ${CALL_US}`, next: "patientCalls" },
  12: { says: `Vi venter på, at du ringer. ${CALL_US}`, next: "patientCalls" },
  11: { says: `Vi har forsøgt at få fat i dig. ${CALL_US}`, next: "patientCalls" },
  13: { says: "Din tid er aflyst. Vi kontakter dig om en ny.", next: "clinicWrites" },
  15: { says: "Vi finder en ny tid til dig.", next: "clinicWrites" },
  6: { says: "Du er i gang med et forløb hos os.", next: null },
  8: { says: "Vi har noteret, at du ikke ønsker at komme. Ring til os, hvis det ikke passer.", next: null },
  7: { says: "Dit forløb hos os er afsluttet.", next: null },
};

/** A status that says 'vi har skrevet' to a patient to whom nothing has left reads as that before it. */
const wordsOf = ({ status, isTold }: Pick<NextStep, "status" | "isTold">): PatientStatus | undefined =>
  (statuses as Readonly<Record<number, PatientStatus>>)[saysTold(status) && !isTold ? READY_FOR_CALL_UP : status];

export const patientMeaning = (step: Pick<NextStep, "status" | "isTold">): string => wordsOf(step)?.says ?? "";

export const patientCalls = (step: Pick<NextStep, "status" | "isTold">): boolean =>
  wordsOf(step)?.next === "patientCalls";

/** Whether the clinic acts next, so that the patient has nothing to do. */
export const clinicActs = (step: Pick<NextStep, "status" | "isTold">): boolean => {
  const next = wordsOf(step)?.next;
  return next === "clinicWrites" || next === "clinicLooks";
};

export interface NextStep {
  /** As others than staff see it. */
  status: number;
  /** Whether a call-up has left, or a time was given by phone. */
  isTold: boolean;
  /** `YYYY-MM-DD`, of `knownNextDate`. */
  nextDate: string | null;
  /** Today in Copenhagen. */
  today: string;
}

export const isLate = ({ nextDate, today }: NextStep): boolean => nextDate !== null && nextDate < today;

/** By when something happens, in the patient's words; null where no date is known. */
export function nextStepText(step: NextStep): string | null {
  const next = wordsOf(step)?.next ?? null;
  if (step.nextDate === null || next === null) return null;
  const day = dayInWords(step.nextDate);
  if (isLate(step))
    return next === "clinicLooks"
      ? `Næste skridt skulle være sket senest ${day}. Det beklager vi.`
      : `Du skulle have hørt fra os senest ${day}. Det beklager vi.`;
  if (next === "clinicWrites") return `Du hører fra os senest ${day}.`;
  return next === "clinicLooks"
    ? `Næste skridt er senest ${day}.`
    : `Har du ikke ringet inden, kontakter vi dig senest ${day}.`;
}

const signs: Readonly<Record<string, string>> = {
  received: "vi fik henvisningen",
  status: "henvisningen fik en ny status",
  callUp: "vi skrev til dig om en tid",
  appointment: "din tid blev sat eller ændret",
  letter: "vi sendte et brev",
};

export const lastSignText = ({ what, at }: { what: string; at: string }): string =>
  `Senest sket: ${signs[what]}, ${dayInWords(localDate(new Date(at)))}.`;

export interface CourseStep {
  title: string;
  note: string | null;
  state: "done" | "now" | "next";
}

const course = [
  { title: "Vurderes af en kirurg", done: "Vurderet af en kirurg", note: null },
  { title: "Du får besked om en tid", done: "Besked om en tid", note: "på SMS eller i e-Boks" },
  { title: "Behandling", done: "Behandling", note: null },
];

/**
 * The patient's course from the day on which the referral arrived; null once it has ended. What nobody has triaged has
 * not been assessed, whatever its status.
 */
export function courseOf(
  step: NextStep,
  { sentOn, isTriaged }: { sentOn: string; isTriaged: boolean },
): CourseStep[] | null {
  if (step.status === CLOSED || step.status === DECLINED) return null;
  const now = !isTriaged ? 0 : step.status === IN_TREATMENT ? 2 : 1;
  return [
    { title: "Modtaget", note: dayInWords(sentOn), state: "done" },
    ...course.map(({ title, done, note }, index): CourseStep => {
      if (index < now) return { title: done, note: null, state: "done" };
      if (index > now) return { title, note, state: "next" };
      return { title, note: isLate(step) ? null : nextStepText(step), state: "now" };
    }),
  ];
}

/** E.g. `fredag 4. december 2026`, of a day or a moment in Copenhagen. */
export function dayInWords(moment: string): string {
  const format = new Intl.DateTimeFormat("da-DK", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(`${moment.slice(0, 10)}T12:00:00Z`)).replace(" den ", " ");
}

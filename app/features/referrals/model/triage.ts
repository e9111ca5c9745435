import { URGENT } from "./referral";
import { MAY_AWAIT_TRIAGE, TRIAGED_FOR_ANAESTHESIA } from "./statuses";

/** What triage has found beside the status, which the next status would forget (docs/rules/triage.md). */
export interface Triage {
  /** As the referrer wrote. */
  referenceType: number;
  /** As the clinic has judged: 1 urgent, 0 not; null where the referrer's word counts. */
  triageUrgency: number | null;
  hasAnaesthesia: boolean;
}

export const triageUrgencies = [
  { value: URGENT, label: "Haster" },
  { value: 0, label: "Haster ikke" },
] as const;

/** Whether it is urgent as the clinic has judged, and until then as the referrer wrote. */
export const isUrgent = ({ referenceType, triageUrgency }: Pick<Triage, "referenceType" | "triageUrgency">): boolean =>
  (triageUrgency ?? referenceType) === URGENT;

/** Days for which an urgent referral that nobody has triaged may be put on hold without a question. */
export const DAYS_ON_HOLD_UNASKED = 7;

export const isUntriagedUrgent = (
  row: Pick<Triage, "referenceType" | "triageUrgency"> & {
    triagedAt: string | null;
    status: number;
  },
): boolean => row.triagedAt === null && MAY_AWAIT_TRIAGE.includes(row.status) && isUrgent(row);

/** The clinic's judgement where it differs from the referrer's word; null where it does not. */
export function judgedUrgency({ referenceType, triageUrgency }: Pick<Triage, "referenceType" | "triageUrgency">) {
  if (triageUrgency === null || triageUrgency === referenceType) return null;
  return triageUrgency === URGENT ? "Haster" : "Haster ikke";
}

/** Whether the clinic has judged that it is less urgent than the referrer wrote. */
export const isDowngraded = (row: Pick<Triage, "referenceType" | "triageUrgency">): boolean =>
  row.referenceType === URGENT && !isUrgent(row);

/** Marks of a row and of the open referral, beside the status that may say the same. */
export const triageMarks = (row: Triage & { status: number }) => [
  ...[judgedUrgency(row)].flatMap((text) =>
    text === null
      ? []
      : [{ icon: isUrgent(row) ? ("urgent" as const) : ("check" as const), text: `Klinikken: ${text.toLowerCase()}` }],
  ),
  ...(row.hasAnaesthesia && row.status !== TRIAGED_FOR_ANAESTHESIA
    ? [{ icon: "sleep", text: "Fuld narkose" } as const]
    : []),
];

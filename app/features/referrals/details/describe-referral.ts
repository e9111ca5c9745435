import { showDay } from "~/text/dates";
import { showPrice, twoDigits } from "~/text/numbers";
import {
  type FactIn,
  factLines,
  type FactName,
  facts,
  factsIn,
  factText,
  type FactValues,
} from "~/features/referrals/model/facts";
import { describeTeeth } from "~/features/referrals/model/teeth";
import { isAsked, NOT_STATED } from "~/features/referrals/model/known-none";
import {
  approvalTypes,
  INSURANCE,
  isRegional,
  radiographsSendTypes,
  sentLabelOf,
} from "~/features/referrals/model/referral";
import type { Plan, ReferralForm } from "./read-referral.server";
import { SENT } from "~/features/delivery/delivery-status";
import { statusEvent } from "~/features/referrals/model/status";
import {
  AWAITING_TRIAGE,
  CALLED_UP,
  CALLED_UP_AGAIN,
  CANCELLED_BY_SMS,
  DECLINED,
} from "~/features/referrals/model/statuses";

export const describeForm = (form: ReferralForm, files: { hasApproval: boolean; hasRadiographs: boolean }) => ({
  referenceType: factText("referenceType", form.referenceType) ?? "",
  urgentReason: urgentReasonOf(form),
  callType: factText("callType", form.callType) ?? "",
  referralLines: [
    ...unplaced(form, factsIn("referral")),
    ...[urgentReasonOf(form)].flatMap((value) => (value === null ? [] : [{ label: facts.urgentReason.label, value }])),
  ],
  payment: factText("paymentType", form.paymentType) ?? "",
  paymentDetails: [...paymentDetails(form), ...unplaced(form, factsIn("payment"))],
  approval: form.paymentType === 0 ? null : sentLabelOf(approvalTypes, form.approvalType, files.hasApproval),
  healthInsurance: form.isHealthInsurance
    ? `Medlem, ${factText("healthInsuranceType", form.healthInsuranceType)}`
    : "Ikke medlem",
  radiographs: sentLabelOf(radiographsSendTypes, form.radiographsSendType, files.hasRadiographs),
});

const urgentReasonOf = ({ urgentReason }: ReferralForm) =>
  urgentReason === 0 ? null : factText("urgentReason", urgentReason);

/** Facts that are shown together with others, or under a name of their own. */
const PLACED: readonly FactName[] = [
  ...(["address", "zip", "city", "mobilePhone", "phone"] as const),
  ...(["referenceType", "urgentReason", "callType"] as const),
  ...([
    "paymentType",
    "insuranceCompany",
    "policeClaim",
    "isHealthInsurance",
    "healthInsuranceType",
    "approvalType",
  ] as const),
  ...(["regionNumber", "regionInstitution", "regionAddress", "regionZip", "regionCity"] as const),
];

const unplaced = <N extends FactName>(values: FactValues<N>, names: readonly N[]) =>
  factLines(
    values,
    names.filter((name) => !PLACED.includes(name)),
  );

/** What is known of the patient besides address and numbers. */
export const patientLines = (patient: FactValues<FactIn<"patient">>) => unplaced(patient, factsIn("patient"));

/** Texts about the case in reading order, also those that are empty and always asked for. */
export const clinicalLines = (values: FactValues<FactIn<"clinical" | "health">>) =>
  factsIn("clinical", "health").flatMap((name) => {
    const value = factText(name, values[name]) ?? (isAsked(name) ? NOT_STATED : null);
    return facts[name].part === "health" && !value ? [] : [{ name, label: facts[name].label, value }];
  });

function paymentDetails(form: ReferralForm): { label: string; value: string }[] {
  if (form.paymentType === INSURANCE) return factLines(form, ["insuranceCompany", "policeClaim"]);
  if (!isRegional(form.paymentType)) return [];
  const town = [form.regionZip, form.regionCity].filter(Boolean).join(" ");
  const payer = [form.regionInstitution, form.regionAddress, town].filter(Boolean).join(", ");
  // One fact, so that the payer's address is not taken for the patient's.
  const value = [payer, form.regionNumber && `EAN ${form.regionNumber}`].filter(Boolean).join(" · ");
  return value === "" ? [] : [{ label: "Betaler", value }];
}

export const describePlan = ({ date, hour, minute, minutes, price, treatmentType, surgeon, teeth, comment }: Plan) => ({
  at: date === null ? null : `${showDay(date)} kl. ${twoDigits(hour)}.${twoDigits(minute)}`,
  duration: minutes === null ? null : `${minutes} min.`,
  treatmentType,
  surgeon,
  teeth: teeth && describeTeeth(teeth),
  comment,
  price: price === null ? null : `${showPrice(price)} kr.`,
});

interface Course {
  createdAt: string;
  status: number;
  /** ISO 8601; null if the reader may not know. */
  statusSince: string | null;
  /** Today in Copenhagen (`YYYY-MM-DD`). */
  today: string;
  plan: { date: string | null; hour: number | null; minute: number | null };
  sections: { callUps: { status: number; sentAt: string | null }[] };
}

export interface Milestone {
  label: string;
  /** ISO 8601 moment, or a day if the hour is unknown; null for a status of unknown age. */
  at: string | null;
  time?: string;
}

/** Past events of a referral in order; the last is its present status. */
export function milestonesOf({ createdAt, status, statusSince, today, plan, sections }: Course): Milestone[] {
  const calledUp = sections.callUps
    .flatMap((callUp) => (callUp.status === SENT && callUp.sentAt ? [callUp.sentAt] : []))
    .reduce<string | null>((latest, at) => (latest === null || at > latest ? at : latest), null);
  const present = { label: statusEvent(status), at: statusSince };
  return [
    { label: "Modtaget", at: createdAt },
    ...(calledUp && !CALLED.includes(status) ? [{ label: "Indkaldt", at: calledUp }] : []),
    ...(plan.date && plan.date <= today && !NOT_TREATED.includes(status)
      ? [{ label: "Behandling", at: plan.date, ...timeOf(plan) }]
      : []),
    ...(status === AWAITING_TRIAGE ? [] : [present]),
  ];
}

/** Statuses that say themselves that the patient is called up. */
const CALLED = [CALLED_UP, CALLED_UP_AGAIN];
const NOT_TREATED = [CANCELLED_BY_SMS, DECLINED];

const timeOf = ({ hour, minute }: Course["plan"]) =>
  hour === null ? {} : { time: `kl. ${twoDigits(hour)}.${twoDigits(minute)}` };

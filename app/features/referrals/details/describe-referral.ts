import { showDay } from "~/text/dates";
import { showPrice, twoDigits } from "~/text/numbers";
import {
  approvalTypes,
  callTypes,
  healthInsuranceTypes,
  INSURANCE,
  isRegional,
  labelOf,
  paymentTypes,
  radiographsSendTypes,
  referenceTypes,
  sentLabelOf,
} from "~/features/referrals/model/referral";
import type { Plan, ReferralForm } from "./read-referral.server";
import { SENT } from "~/features/delivery/delivery-status";
import { CLOSED } from "~/features/referrals/model/status";

export const describeForm = (form: ReferralForm, files: { hasApproval: boolean; hasRadiographs: boolean }) => ({
  referenceType: labelOf(referenceTypes, form.referenceType),
  callType: labelOf(callTypes, form.callType),
  payment: labelOf(paymentTypes, form.paymentType),
  paymentDetails: paymentDetails(form),
  approval: form.paymentType === 0 ? null : sentLabelOf(approvalTypes, form.approvalType, files.hasApproval),
  healthInsurance: form.isHealthInsurance
    ? `Medlem, ${labelOf(healthInsuranceTypes, form.healthInsuranceType)}`
    : "Ikke medlem",
  radiographs: sentLabelOf(radiographsSendTypes, form.radiographsSendType, files.hasRadiographs),
});

function paymentDetails(form: ReferralForm): { label: string; value: string }[] {
  const filled = (details: [string, string | null][]) =>
    details.flatMap(([label, value]) => (value ? [{ label, value }] : []));
  if (form.paymentType === INSURANCE)
    return filled([
      ["Forsikringsselskab", form.insuranceCompany],
      ["Police/skadesnr.", form.policeClaim],
    ]);
  if (!isRegional(form.paymentType)) return [];
  return filled([
    ["EAN-nr.", form.regionNumber],
    ["Institution", form.regionInstitution],
    ["Adresse", form.regionAddress],
    ["Postnr. og by", [form.regionZip, form.regionCity].filter(Boolean).join(" ") || null],
  ]);
}

export const describePlan = ({ date, hour, minute, minutes, price, treatmentType, surgeon, comment }: Plan) => ({
  at: date === null ? null : `${showDay(date)} kl. ${twoDigits(hour)}.${twoDigits(minute)}`,
  duration: minutes === null ? null : `${minutes} min.`,
  treatmentType,
  surgeon,
  comment,
  price: price === null ? null : `${showPrice(price)} kr.`,
});

interface Course {
  createdAt: string;
  status: number;
  /** ISO 8601; null if the reader may not know. */
  statusSince: string | null;
  plan: { date: string | null; hour: number | null; minute: number | null };
  sections: { callUps: { status: number; sentAt: string | null }[] };
}

export interface Milestone {
  label: string;
  /** ISO 8601 moment, or a day if the hour is unknown. */
  at: string;
  time?: string;
}

/** Past and expected events of a referral in order. */
export function milestonesOf({ createdAt, status, statusSince, plan, sections }: Course): Milestone[] {
  const calledUp = sections.callUps
    .flatMap((callUp) => (callUp.status === SENT && callUp.sentAt ? [callUp.sentAt] : []))
    .reduce<string | null>((latest, at) => (latest === null || at > latest ? at : latest), null);
  return [
    { label: "Modtaget", at: createdAt },
    ...(calledUp ? [{ label: "Indkaldt", at: calledUp }] : []),
    ...(plan.date
      ? [
          {
            label: "Behandling",
            at: plan.date,
            ...(plan.hour === null ? {} : { time: `kl. ${twoDigits(plan.hour)}.${twoDigits(plan.minute)}` }),
          },
        ]
      : []),
    ...(status === CLOSED && statusSince ? [{ label: "Afsluttet", at: statusSince }] : []),
  ];
}

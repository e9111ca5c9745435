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

/** Danish descriptions for the open referral and its PDF. */

/** The referrer's choices; `files` tells whether what is 'uploaded now' has arrived. */
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

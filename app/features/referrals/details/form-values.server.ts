import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { twoDigits } from "~/text/numbers";

/**
 * Form values of a referral's row by field name: strings, empty if unset; checkbox `on` or empty, date `YYYY-MM-DD`,
 * price `4850.50`.
 */

export const text = (value: string | number | null) => (value === null ? "" : String(value));
const two = (part: number | null) => (part === null ? "" : twoDigits(part));
const ticked = (value: number) => (value === 1 ? "on" : "");

export function patientValues(secrets: Secrets, row: ReferralRow) {
  const cpr = sealedCpr.open(secrets, row) ?? "";
  return {
    cpr6: cpr.slice(0, 6),
    cpr4: cpr.slice(7),
    firstName: row.first_name,
    lastName: row.last_name,
    address: text(row.address),
    zip: text(row.zip),
    city: text(row.city),
    phone: text(row.phone),
    mobilePhone: text(row.mobile_phone),
    email: text(row.email),
  };
}

export const eboksValue = (row: ReferralRow) => ({ patientDoesntHaveEboks: ticked(row.patient_without_eboks) });

export function detailsValues(row: ReferralRow) {
  return {
    visitType: row.visit_type,
    externalId: text(row.external_id),
    externalDoctorId: text(row.external_doctor_id),
    makeTest: ticked(row.is_test),
  };
}

export function planValues(row: ReferralRow) {
  return {
    operationDate: text(row.operation_date),
    operationTimeHours: two(row.operation_hour),
    operationTimeMinutes: two(row.operation_minute),
    operationDuration: text(row.operation_duration),
    treatmentType: text(row.treatment_type_id),
    surgeonId: text(row.surgeon_id),
    surgeonComment: text(row.surgeon_comment),
    notNeedTreatmentComment: text(row.not_need_treatment_comment),
    price: text(row.price),
    sendRadiographToPatient: ticked(row.send_radiograph_to_patient),
    forceRadiographExport: ticked(row.force_radiograph_export),
  };
}

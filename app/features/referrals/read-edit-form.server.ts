import type { Db } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Secrets } from "~/access/secrets.server";
import { findClinicChoices } from "~/features/directory/find-choices.server";
import { findReferrer, findReferrers, referrerChoice } from "~/features/directory/find-referrers.server";
import { findSurgeons } from "~/features/directory/find-surgeons.server";
import { showDay } from "~/text/dates";
import { showPrice } from "~/text/numbers";
import type { ReferralRow } from "./referral-store.server";
import { DECLINED } from "./status";
import { findTreatmentTypes, treatmentTypeName } from "./treatment-type-store.server";

/** The parts of an open referral that staff edit, as they stand in the address. */
export const editedParts = ["patient", "henvisning", "plan", "henviser"] as const;
type Part = (typeof editedParts)[number];

const text = (value: string | number | null) => (value === null ? "" : String(value));
const two = (part: number | null) => (part === null ? "" : String(part).padStart(2, "0"));
const ticked = (value: number) => (value === 1 ? "on" : "");

/** What one part's form starts from and chooses among. */
export async function readEditForm(db: Db, secrets: Secrets, person: Person, row: ReferralRow, part: Part) {
  return {
    part,
    patient: part === "patient" ? patientValues(row, secrets.decrypt("cpr", row.cpr_encrypted ?? "")) : null,
    case: part === "henvisning" ? { visitType: row.visit_type, externalId: text(row.external_id), externalDoctorId: text(row.external_doctor_id), makeTest: ticked(row.is_test) } : null,
    plan: part === "plan" ? await planForm(db, row) : null,
    referrer: part === "henviser" ? await referrerForm(db, person, row) : null,
  };
}

function patientValues(row: ReferralRow, cpr: string | null) {
  return {
    cpr6: cpr?.slice(0, 6) ?? "",
    cpr4: cpr?.slice(7) ?? "",
    firstName: row.first_name,
    lastName: row.last_name,
    address: text(row.address),
    zip: text(row.zip),
    city: text(row.city),
    phone: text(row.phone),
    mobilePhone: text(row.mobile_phone),
    email: text(row.email),
    patientDoesntHaveEboks: ticked(row.patient_without_eboks),
  };
}

/** A treatment that was deleted, or is unknown, can be kept but not chosen. */
async function planForm(db: Db, row: ReferralRow) {
  const types = await findTreatmentTypes(db);
  const isListed = row.treatment_type_id === null || types.some(({ id }) => id === row.treatment_type_id);
  const kept = isListed ? [] : [{ id: row.treatment_type_id!, name: (await treatmentTypeName(db, row.treatment_type_id)) ?? "" }];
  return {
    values: {
      operationDate: row.operation_date === null ? "" : showDay(row.operation_date),
      operationTimeHours: two(row.operation_hour),
      operationTimeMinutes: two(row.operation_minute),
      operationDuration: text(row.operation_duration),
      treatmentType: text(row.treatment_type_id),
      surgeonId: text(row.surgeon_id),
      surgeonComment: text(row.surgeon_comment),
      notNeedTreatmentComment: text(row.not_need_treatment_comment),
      price: row.price === null ? "" : showPrice(row.price),
      sendRadiographToPatient: ticked(row.send_radiograph_to_patient),
      forceRadiographExport: ticked(row.force_radiograph_export),
    },
    isDeclined: row.status === DECLINED,
    treatmentTypes: [...types, ...kept].map(({ id, name }) => ({ value: id, label: name })),
    surgeons: (await findSurgeons(db, row.surgeon_id)).map(({ id, name }) => ({ value: id, label: name })),
  };
}

async function referrerForm(db: Db, person: Person, row: ReferralRow) {
  const chosen = row.referrer_id === null ? null : await findReferrer(db, row.referrer_id);
  return {
    chosen: chosen && referrerChoice(chosen),
    choices: (await findReferrers(db, person, "")).map(referrerChoice),
    canChangeClinic: can(person, "referral.changeClinic"),
    clinicId: row.clinic_id,
    clinics: await findClinicChoices(db, person),
  };
}

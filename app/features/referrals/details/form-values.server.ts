import type { DbOrTx } from "~db/connection.server";
import type { Edit } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { treatmentTypeName } from "~/features/referrals/store/treatment-store.server";
import { findNamedUsers } from "~/features/directory/operations.server";
import { twoDigits } from "~/text/numbers";
import { shownPlanValues } from "./plan-values";

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
    // The select of minutes has no empty choice.
    operationTimeMinutes: two(row.operation_minute ?? 0),
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

const ofRow =
  (
    read: (row: ReferralRow, context: Parameters<Edit["read"]>[0]) => Promise<Awaited<ReturnType<Edit["read"]>>>,
  ): Edit["read"] =>
  async (context, field) => {
    const row = await findReferral(context.db, context.actor, Number(field("referralId")));
    return { version: row.version, ...(await read(row, context)) };
  };

/** How the forms of an open referral are merged with what is stored. */
export const patientEdit: Edit = {
  groups: [
    ["cpr6", "cpr4", "firstName", "lastName"],
    ["address", "zip", "city"],
  ],
  read: ofRow(async (row, { portal }) => ({ values: { ...patientValues(portal.secrets, row), ...eboksValue(row) } })),
};

export const detailsEdit: Edit = {
  groups: [["visitType", "externalId"]],
  read: ofRow(async (row) => ({ values: detailsValues(row) })),
};

export const planEdit: Edit = {
  groups: [["operationDate", "operationTimeHours", "operationTimeMinutes", "operationDuration"]],
  read: ofRow(async (row, { db }) => ({
    values: shownPlanValues(planValues(row)),
    shown: { treatmentType: await treatmentOf(db, row), surgeonId: await surgeonOf(db, row) },
  })),
};

export const surgeonEdit: Edit = {
  read: ofRow(async (row, { db }) => ({
    values: { surgeonId: text(row.surgeon_id) },
    shown: { surgeonId: await surgeonOf(db, row) },
  })),
};

export const referrerEdit: Edit = {
  groups: [["referrerId", "clinicId"]],
  read: ofRow(async (row, { db }) => ({
    values: { referrerId: text(row.referrer_id), clinicId: text(row.clinic_id) },
    shown: { referrerId: await nameOf(db, row.referrer_id) },
  })),
};

export const contactEdit: Edit = {
  groups: [["patientAddress", "patientZip", "patientCity"]],
  read: ofRow(async (row) => ({
    values: {
      patientAddress: text(row.address),
      patientZip: text(row.zip),
      patientCity: text(row.city),
      patientMobilePhone: text(row.mobile_phone),
      patientPhone: text(row.phone),
      patientEmail: text(row.email),
      incallComment: text(row.call_up_comment),
    },
  })),
};

const treatmentOf = async (db: DbOrTx, { treatment_type_id: id }: ReferralRow) =>
  id === null ? "" : ((await treatmentTypeName(db, id)) ?? "");

const surgeonOf = (db: DbOrTx, { surgeon_id: id }: ReferralRow) => nameOf(db, id);

const nameOf = async (db: DbOrTx, id: number | null) =>
  id === null ? "" : ((await findNamedUsers(db, [id])).get(id)?.name ?? "");

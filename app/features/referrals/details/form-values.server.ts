import type { DbOrTx } from "~db/connection.server";
import { type Edit, rowIdIn } from "~/access/edit.server";
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
export const ticked = (value: boolean) => (value ? "on" : "");

export function patientValues(secrets: Secrets, row: ReferralRow) {
  const cpr = sealedCpr.open(secrets, row) ?? "";
  return {
    cpr6: cpr.slice(0, 6),
    cpr4: cpr.slice(7),
    firstName: row.firstName,
    lastName: row.lastName,
    address: text(row.address),
    zip: text(row.zip),
    city: text(row.city),
    phone: text(row.phone),
    mobilePhone: text(row.mobilePhone),
    email: text(row.email),
  };
}

export const eboksValue = (row: ReferralRow) => ({ patientDoesntHaveEboks: ticked(row.patientWithoutEboks) });

export function detailsValues(row: ReferralRow) {
  return {
    visitType: row.visitType,
    externalId: text(row.externalId),
    externalDoctorId: text(row.externalDoctorId),
    triageUrgency: text(row.triageUrgency),
    hasAnaesthesia: ticked(row.hasAnaesthesia),
    closedBecause: row.closedBecause ?? "",
    makeTest: ticked(row.isTest),
  };
}

export function planValues(row: ReferralRow) {
  return {
    operationDate: text(row.operationDate),
    operationTimeHours: two(row.operationHour),
    // The select of minutes has no empty choice.
    operationTimeMinutes: two(row.operationMinute ?? 0),
    operationDuration: text(row.operationDuration),
    treatmentType: text(row.treatmentTypeId),
    surgeonId: text(row.surgeonId),
    plannedTeeth: text(row.plannedTeeth),
    surgeonComment: text(row.surgeonComment),
    notNeedTreatmentComment: text(row.notNeedTreatmentComment),
    price: text(row.price),
    sendRadiographToPatient: ticked(row.sendRadiographToPatient),
    forceRadiographExport: ticked(row.forceRadiographExport),
  };
}

const ofRow =
  (
    read: (row: ReferralRow, context: Parameters<Edit["read"]>[0]) => Promise<Awaited<ReturnType<Edit["read"]>>>,
  ): Edit["read"] =>
  async (context, field) => {
    const row = await findReferral(context.db, context.actor, rowIdIn(field("referralId")));
    return { version: row.version, ...(await read(row, context)) };
  };

/** Numbers and addresses that were stored before they were checked as today. */
export const keptFields = ["phone", "mobilePhone", "email"] as const;

/** The input with the stored values of the fields that stay as they are. */
export const withStored = <I extends { unchanged?: readonly (typeof keptFields)[number][] }>(
  input: I,
  row: ReferralRow,
): I => ({ ...input, ...Object.fromEntries((input.unchanged ?? []).map((name) => [name, row[name]])) });

/** How the forms of an open referral are merged with what is stored. */
export const patientEdit: Edit = {
  keeps: keptFields,
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
    values: { surgeonId: text(row.surgeonId) },
    shown: { surgeonId: await surgeonOf(db, row) },
  })),
};

export const referrerEdit: Edit = {
  groups: [["referrerId", "clinicId"]],
  read: ofRow(async (row, { db }) => ({
    values: { referrerId: text(row.referrerId), clinicId: text(row.clinicId) },
    shown: { referrerId: await nameOf(db, row.referrerId) },
  })),
};

export const contactEdit: Edit = {
  groups: [["patientAddress", "patientZip", "patientCity"]],
  keeps: ["patientPhone", "patientMobilePhone", "patientEmail"],
  read: ofRow(async (row) => ({
    values: {
      patientAddress: text(row.address),
      patientZip: text(row.zip),
      patientCity: text(row.city),
      patientMobilePhone: text(row.mobilePhone),
      patientPhone: text(row.phone),
      patientEmail: text(row.email),
      incallComment: text(row.callUpComment),
    },
  })),
};

const treatmentOf = async (db: DbOrTx, { treatmentTypeId: id }: ReferralRow) =>
  id === null ? "" : ((await treatmentTypeName(db, id)) ?? "");

const surgeonOf = (db: DbOrTx, { surgeonId: id }: ReferralRow) => nameOf(db, id);

export const nameOf = async (db: DbOrTx, id: number | null) =>
  id === null ? "" : ((await findNamedUsers(db, [id])).get(id)?.name ?? "");

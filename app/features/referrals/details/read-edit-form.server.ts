import type { Db } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Secrets } from "~/access/secrets.server";
import { findClinicChoices, findSurgeonChoices } from "~/features/directory/find-choices.server";
import { findReferrer, findReferrers, referrerChoice } from "~/features/directory/find-referrers.server";
import { detailsValues, eboksValue, patientValues, planValues } from "~/features/referrals/details/form-values.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { OTHER } from "~/features/referrals/material/material-kinds";
import { findMaterialRequest } from "~/features/referrals/store/material-store.server";
import { AWAITING_MATERIAL, DECLINED } from "~/features/referrals/model/status";
import { findTreatmentTypes, treatmentTypeName } from "~/features/referrals/store/treatment-type-store.server";

/** Editable sections, as named in the address. */
export const editedParts = ["patient", "henvisning", "plan", "henviser", "materiale"] as const;
type Part = (typeof editedParts)[number];

/** Values and choices of a section's form. */
export async function readEditForm(db: Db, secrets: Secrets, person: Person, row: ReferralRow, part: Part) {
  return {
    part,
    patient: part === "patient" ? { ...patientValues(secrets, row), ...eboksValue(row) } : null,
    details: part === "henvisning" ? detailsValues(row) : null,
    plan: part === "plan" ? await planForm(db, row) : null,
    material: part === "materiale" ? await materialForm(db, secrets, row) : null,
    referrer: part === "henviser" ? await referrerForm(db, person, row) : null,
  };
}

/** A deleted or unknown treatment can be kept but not chosen. */
async function planForm(db: Db, row: ReferralRow) {
  const types = await findTreatmentTypes(db);
  const isListed = row.treatment_type_id === null || types.some(({ id }) => id === row.treatment_type_id);
  const unlisted = isListed
    ? []
    : [{ id: row.treatment_type_id!, name: (await treatmentTypeName(db, row.treatment_type_id)) ?? "" }];
  return {
    values: planValues(row),
    isDeclined: row.status === DECLINED,
    treatmentTypes: [...types, ...unlisted].map(({ id, name }) => ({ value: id, label: name })),
    surgeons: await findSurgeonChoices(db, row.surgeon_id),
  };
}

async function materialForm(db: Db, secrets: Secrets, row: ReferralRow) {
  const request = row.status === AWAITING_MATERIAL ? await findMaterialRequest(db, secrets, row) : null;
  const open = request?.lines.filter(({ answer }) => answer === "open") ?? [];
  return {
    kinds: open.map(({ kind }) => kind),
    otherText: open.find(({ kind }) => kind === OTHER)?.text ?? "",
    note: request?.note ?? "",
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

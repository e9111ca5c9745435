import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findClinic } from "~/features/directory/find-clinic.server";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { readThread } from "~/features/messages/thread.server";
import { ageOn } from "~/text/cpr";
import { localDate, showDateTime, showDay } from "~/text/dates";
import { fullName } from "~/text/names";
import { showPrice } from "~/text/numbers";
import type { Db } from "~db/connection.server";
import { approvalTypes, callTypes, FORCE_EXPORT, healthInsuranceTypes, INSURANCE, isRegional, labelOf, paymentTypes, radiographsSendTypes, referenceTypes, SEND_RADIOGRAPHS, URGENT, visitTypes } from "./referral";
import { findFiles } from "./referral-file-store.server";
import { findReferral, type ReferralRow } from "./referral-store.server";
import { exportOf, imagesOf } from "./read-images.server";
import { readCaseSections } from "./read-case-sections.server";
import { editedParts, readEditForm } from "./read-edit-form.server";
import { DECLINED, nextSteps, statusLabel, statusOptions } from "./status";
import { readStatusSettings } from "./status-settings.server";
import { treatmentTypeName } from "./treatment-type-store.server";
import { findVisitLog } from "./visit-log-store.server";

/** The expanded row (specification 1 §2): the referral as its reader may see it. Throws `notInScope`. */
export const readReferral = read({
  name: "readReferral",
  permission: "referral.read",
  input: z.object({ referralId: z.coerce.number().int().positive(), edit: z.enum(editedParts).nullish().catch(null) }),
  async run({ db, person, portal, now, saw }, { referralId, edit }) {
    const row = await findReferral(db, person, referralId);
    saw([row.id]);
    const settings = await readStatusSettings(db);
    const files = await findFiles(db, row.id);
    const referrer = row.referrer_id === null ? null : await findReferrer(db, row.referrer_id);
    const clinic = row.clinic_id === null ? null : await findClinic(db, row.clinic_id);
    const isStaff = can(person, "referral.editSent");
    // Not only left out of the page: whoever may not read the log is not sent it (docs/decisions/0044).
    const log = isStaff ? await findVisitLog(db, row.id) : [];
    return {
      id: row.id,
      version: row.version,
      isStaff,
      status: row.status,
      statusLabel: statusLabel(row.status, settings, person),
      statusOptions: statusOptions(settings, person, { all: true }),
      isUrgent: row.reference_type === URGENT,
      isTest: isStaff && row.is_test === 1,
      ediId: row.external_id,
      createdAt: showDateTime(row.create_date),
      creatorName: isStaff ? await nameOf(db, row.creator_id) : null,
      modifiedAt: isStaff ? showDateTime(row.modified_at) : null,
      modifierName: isStaff ? await nameOf(db, row.modifier_id) : null,
      nextSteps: isStaff ? nextSteps(row.status).map((value) => ({ value, label: statusLabel(value, settings, person) })) : [],
      sections: await readCaseSections(db, portal.secrets, row, isStaff),
      plan: await planOf(db, row, isStaff),
      edit: isStaff && edit ? await readEditForm(db, portal.secrets, person, row, edit) : null,
      patient: patientOf(row, portal.secrets.decrypt("cpr", row.cpr_encrypted ?? ""), localDate(now)),
      referral: referralOf(row),
      referrer: { name: referrer?.name ?? "…", email: referrer?.email ?? null, clinic: clinic?.name ?? "", externalId: row.external_doctor_id },
      files: files
        .filter((file) => file.kind === "journal" || file.kind === "approval")
        .map((file) => ({ id: file.id, name: file.fileName, kind: file.kind, sizeBytes: file.sizeBytes, isScanned: file.scanState === "clean" })),
      images: imagesOf(portal.secrets, row, files),
      archive: isStaff ? exportOf(row) : null,
      messages: await readThread(db, person, row, files),
      log: log.map((entry) => ({
        id: entry.id,
        at: showDateTime(entry.at),
        who: entry.modifier_name,
        status: entry.status === null || entry.status < 0 ? null : statusLabel(entry.status, settings, person),
        what: entry.event,
        type: entry.log_type,
        treatmentType: entry.treatment_type,
        comment: entry.surgeon_comment,
      })),
    };
  },
});

export type OpenReferral = Awaited<ReturnType<(typeof readReferral)["perform"]>>;

/** The plan as it is read. The extra comment belongs to status 8 (specification 1 §2). */
export async function planOf(db: Db, row: ReferralRow, isStaff: boolean) {
  const two = (part: number | null) => String(part ?? 0).padStart(2, "0");
  return {
    at: row.operation_date === null ? null : `${showDay(row.operation_date)} kl. ${two(row.operation_hour)}.${two(row.operation_minute)}`,
    duration: row.operation_duration === null ? null : `${row.operation_duration} min.`,
    treatmentType: await treatmentTypeName(db, row.treatment_type_id),
    surgeon: await nameOf(db, row.surgeon_id),
    comment: row.surgeon_comment,
    statusComment: row.status === DECLINED ? row.not_need_treatment_comment : null,
    price: row.price === null ? null : `${showPrice(row.price)} kr.`,
    flags: isStaff ? [...(row.send_radiograph_to_patient === 1 ? [SEND_RADIOGRAPHS] : []), ...(row.force_radiograph_export === 1 ? [FORCE_EXPORT] : [])] : [],
  };
}

const nameOf = async (db: Db, personId: number | null) => (personId === null ? null : ((await findReferrer(db, personId))?.name ?? null));

function patientOf(row: ReferralRow, cpr: string | null, today: string) {
  return {
    name: fullName(row),
    cpr: cpr ?? "–",
    age: ageOn(row.birth_date, today),
    profession: row.profession,
    address: row.address,
    zip: row.zip,
    city: row.city,
    phone: row.phone,
    mobilePhone: row.mobile_phone,
    email: row.email,
    hasEboks: row.patient_without_eboks === 0,
  };
}

function referralOf(row: ReferralRow) {
  return {
    referenceType: labelOf(referenceTypes, row.reference_type),
    callType: labelOf(callTypes, row.call_type),
    visitType: visitTypes.find((type) => type.value === row.visit_type)?.label ?? "–",
    payment: labelOf(paymentTypes, row.payment_type),
    paymentDetails: paymentDetails(row),
    approval: row.payment_type === 0 ? null : labelOf(approvalTypes, row.approval_type),
    healthInsurance: row.is_health_insurance === 1 ? `Medlem, ${labelOf(healthInsuranceTypes, row.health_insurance_type)}` : "Ikke medlem",
    radiographs: labelOf(radiographsSendTypes, row.radiographs_send_type),
    diagnose: row.diagnose,
    previousTreatment: row.previous_treatment,
    desiredTreatment: row.desired_treatment,
    comment: row.comment,
    ediResponsibleDentist: row.edi_responsible_dentist,
  };
}

/** The fields that the payment brings with it, filled or not (specification 2 §2.1, Payment). */
export function paymentDetails(row: ReferralRow): { label: string; value: string }[] {
  const filled = (details: [string, string | null][]) => details.flatMap(([label, value]) => (value ? [{ label, value }] : []));
  if (row.payment_type === INSURANCE) return filled([["Forsikringsselskab", row.insurance_company], ["Police/skadesnr.", row.police_claim]]);
  if (!isRegional(row.payment_type)) return [];
  return filled([
    ["EAN-nr.", row.region_number],
    ["Institution", row.region_institution],
    ["Adresse", row.region_address],
    ["Postnr. og by", [row.region_zip, row.region_city].filter(Boolean).join(" ") || null],
  ]);
}

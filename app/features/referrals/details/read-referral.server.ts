import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { can } from "~/access/permissions";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { fileKinds } from "~/files/file-rules";
import { findClinic } from "~/features/directory/find-clinic.server";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { readThread } from "~/features/messages/thread.server";
import { ageOn } from "~/text/cpr";
import { localDate, showDate, showDateTime, showDay } from "~/text/dates";
import { fullName } from "~/text/names";
import { showPrice } from "~/text/numbers";
import type { Db } from "~db/connection.server";
import {
  approvalTypes,
  callTypes,
  FORCE_EXPORT,
  healthInsuranceTypes,
  INSURANCE,
  isRegional,
  labelOf,
  paymentTypes,
  radiographsSendTypes,
  referenceTypes,
  SEND_RADIOGRAPHS,
  sentLabelOf,
  URGENT,
  visitTypes,
} from "~/features/referrals/model/referral";
import { findFiles, findHiddenFiles, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { exportOf, imagesOf } from "~/features/referrals/images/read-images.server";
import { readCaseSections } from "./read-referral-details.server";
import { editedParts, readEditForm } from "./read-edit-form.server";
import { DECLINED, nextSteps, statusLabel, statusOptions, visibleStatus } from "~/features/referrals/model/status";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import { treatmentTypeName } from "~/features/referrals/store/treatment-type-store.server";
import { findVisitLog } from "~/features/referrals/store/visit-log-store.server";

/** The expanded row: the referral as its reader may see it. Throws `notInScope`. */
export const readReferral = read({
  name: "readReferral",
  permission: "referral.read",
  input: z.object({ referralId: z.coerce.number().int().positive(), edit: z.enum(editedParts).nullish().catch(null) }),
  async run({ db, person, portal, now, auditRead }, { referralId, edit }) {
    const row = await findReferral(db, person, referralId);
    auditRead([row.id]);
    const settings = await readStatusSettings(db);
    const files = await findFiles(db, row.id);
    const referrer = row.referrer_id === null ? null : await findReferrer(db, row.referrer_id);
    const clinic = row.clinic_id === null ? null : await findClinic(db, row.clinic_id);
    const mayEdit = can(person, "referral.editSent");
    const seesInternal = can(person, "referral.readInternal");
    const seesProvenance = can(person, "referral.readProvenance");
    // Not only left out of the page: whoever may not read the log is not sent it (docs/decisions/0044).
    const log = seesInternal ? await findVisitLog(db, row.id) : [];
    return {
      id: row.id,
      version: row.version,
      mayEdit,
      status: visibleStatus(row.status, person),
      statusLabel: statusLabel(row.status, settings, person),
      statusOptions: statusOptions(settings, person),
      isUrgent: row.reference_type === URGENT,
      isTest: seesInternal && row.is_test === 1,
      ediId: row.external_id,
      createdAt: showDateTime(row.create_date),
      creatorName: seesProvenance ? await nameOf(db, row.creator_id) : null,
      modifiedAt: seesProvenance ? showDateTime(row.modified_at) : null,
      modifierName: seesProvenance ? await nameOf(db, row.modifier_id) : null,
      nextSteps: mayEdit
        ? nextSteps(row.status).map((value) => ({ value, label: statusLabel(value, settings, person) }))
        : [],
      sections: await readCaseSections(db, portal.secrets, row, seesInternal),
      plan: await planOf(db, row, seesInternal),
      edit: mayEdit && edit ? await readEditForm(db, portal.secrets, person, row, edit) : null,
      patient: patientOf(row, sealedCpr.open(portal.secrets, row), localDate(now)),
      referral: { ...referralOf(row, files), visitType: seesInternal ? visitTypeLabel(row) : null },
      referrer: {
        name: referrer?.name ?? "…",
        email: seesInternal ? (referrer?.email ?? null) : null,
        clinic: clinic?.name ?? "",
        externalId: row.external_doctor_id,
      },
      files: files
        .filter((file) => file.kind === "journal" || file.kind === "approval")
        .map((file) => ({
          id: file.id,
          name: file.fileName,
          kind: file.kind,
          sizeBytes: file.sizeBytes,
          isScanned: file.scanState === "clean",
        })),
      images: imagesOf(portal.secrets, row, files),
      deletedFiles: mayEdit ? await deletedFilesOf(db, row.id, now) : [],
      archive: seesInternal ? exportOf(row) : null,
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

export type OpenReferral = ResultOf<typeof readReferral>;

/** The plan as it is read. The extra comment belongs to status 8. */
export async function planOf(db: Db, row: ReferralRow, seesInternal: boolean) {
  const two = (part: number | null) => String(part ?? 0).padStart(2, "0");
  return {
    at:
      row.operation_date === null
        ? null
        : `${showDay(row.operation_date)} kl. ${two(row.operation_hour)}.${two(row.operation_minute)}`,
    duration: row.operation_duration === null ? null : `${row.operation_duration} min.`,
    treatmentType: await treatmentTypeName(db, row.treatment_type_id),
    surgeon: await nameOf(db, row.surgeon_id),
    comment: row.surgeon_comment,
    statusComment: row.status === DECLINED ? row.not_need_treatment_comment : null,
    price: row.price === null ? null : `${showPrice(row.price)} kr.`,
    flags: seesInternal
      ? [
          ...(row.send_radiograph_to_patient === 1 ? [SEND_RADIOGRAPHS] : []),
          ...(row.force_radiograph_export === 1 ? [FORCE_EXPORT] : []),
        ]
      : [],
  };
}

/** What 'Fortryd' may bring back; not what has been uploaded again. */
async function deletedFilesOf(db: Db, referralId: ScopedReferralId, now: Date) {
  return (await findHiddenFiles(db, referralId, now))
    .filter(({ isThereAgain }) => !isThereAgain)
    .map((file) => ({
      id: file.id,
      name: file.fileName,
      kindLabel: fileKinds[file.kind].label,
      deletedOn: showDate(file.deletedAt),
      lastDay: showDate(file.purgeAfter),
    }));
}

const nameOf = async (db: Db, personId: number | null) =>
  personId === null ? null : ((await findReferrer(db, personId))?.name ?? null);

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

const visitTypeLabel = (row: ReferralRow) => visitTypes.find((type) => type.value === row.visit_type)?.label ?? "–";

function referralOf(row: ReferralRow, files: readonly ReferralFile[]) {
  const has = (kind: ReferralFile["kind"]) => files.some((file) => file.kind === kind);
  return {
    referenceType: labelOf(referenceTypes, row.reference_type),
    callType: labelOf(callTypes, row.call_type),
    payment: labelOf(paymentTypes, row.payment_type),
    paymentDetails: paymentDetails(row),
    approval: row.payment_type === 0 ? null : sentLabelOf(approvalTypes, row.approval_type, has("approval")),
    healthInsurance:
      row.is_health_insurance === 1
        ? `Medlem, ${labelOf(healthInsuranceTypes, row.health_insurance_type)}`
        : "Ikke medlem",
    radiographs: sentLabelOf(radiographsSendTypes, row.radiographs_send_type, has("radiograph")),
    diagnose: row.diagnose,
    previousTreatment: row.previous_treatment,
    desiredTreatment: row.desired_treatment,
    comment: row.comment,
    ediResponsibleDentist: row.edi_responsible_dentist,
  };
}

/** The fields that the payment brings with it, filled or not. */
export function paymentDetails(row: ReferralRow): { label: string; value: string }[] {
  const filled = (details: [string, string | null][]) =>
    details.flatMap(([label, value]) => (value ? [{ label, value }] : []));
  if (row.payment_type === INSURANCE)
    return filled([
      ["Forsikringsselskab", row.insurance_company],
      ["Police/skadesnr.", row.police_claim],
    ]);
  if (!isRegional(row.payment_type)) return [];
  return filled([
    ["EAN-nr.", row.region_number],
    ["Institution", row.region_institution],
    ["Adresse", row.region_address],
    ["Postnr. og by", [row.region_zip, row.region_city].filter(Boolean).join(" ") || null],
  ]);
}

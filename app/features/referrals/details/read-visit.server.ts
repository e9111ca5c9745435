import { z } from "zod";
import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { read } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { findClinic } from "~/features/directory/find-clinic.server";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { ageOn } from "~/text/cpr";
import { isoMoment, localDate } from "~/text/dates";
import { findCaseSections } from "~/features/referrals/store/referral-details-store.server";
import { type ReferralFile, findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { DECLINED, visibleStatus } from "~/features/referrals/model/status";

/**
 * A referral or a draft with plain values under the specification's names (GET /Visits/{id}).
 * What staff alone see is null for others. Throws `notInScope`.
 */
export const readVisit = read({
  name: "readVisit",
  permission: "referral.read",
  input: z.object({ referralId: z.number().int() }),
  async run({ db, actor, portal, now, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId).catch(() => findEditable(db, actor, referralId));
    auditRead([row.id]);
    const seesInternal = can(actor, "referral.readInternal");
    const files = await findFiles(db, row.id);
    const sections = await findCaseSections(db, row.id);
    const referrer = row.referrer_id === null ? null : await findReferrer(db, row.referrer_id);
    const surgeon = row.surgeon_id === null ? null : await findReferrer(db, row.surgeon_id);
    const clinic = row.clinic_id === null ? null : await findClinic(db, row.clinic_id);
    const cpr = sealedCpr.open(portal.secrets, row);
    return {
      id: row.id,
      version: row.version,
      isDraft: row.sent_at === null,
      status: visibleStatus(row.status, actor),
      createDate: isoMoment(row.create_date),
      modifyDate: can(actor, "referral.readProvenance") ? isoMoment(row.modified_at) : null,
      ...apiPatientOf(row),
      cpr,
      patientAge: ageOn(row.birth_date, localDate(now)),
      ...formOf(row, files),
      doctorId: row.referrer_id,
      doctorFullName: referrer?.name ?? null,
      doctorEmail: seesInternal ? (referrer?.email ?? null) : null,
      doctorClinic: clinic?.name ?? null,
      clinicId: row.clinic_id,
      canChangeClinic: can(actor, "referral.changeClinic"),
      externalDoctorId: row.external_doctor_id,
      ediResponsibleDentist: row.edi_responsible_dentist,
      sendNotificationToDentist: row.send_notification_to_dentist === 1,
      surgeonId: row.surgeon_id,
      surgeonFullName: surgeon?.name ?? null,
      ...planOf(row, seesInternal),
      visitAppointments: sections.appointments.map((line) => ({
        date: line.date,
        time: line.time,
        treatment: line.treatment,
        externalAppointmentCode: line.external_code,
        isCancelled: line.is_cancelled === 1,
      })),
      appointmentDate: sections.appointments.find((line) => line.is_cancelled === 0)?.date ?? null,
      terminationEmailSendDate: lastSent(sections.letters.flatMap((letter) => letter.send_date ?? [])),
      ...marksOf(row, actor),
      journalFiles: files
        .filter(({ kind }) => kind === "journal")
        .map((file) => ({ journalId: file.id, fileName: file.fileName })),
      radiographFiles: files
        .filter(({ kind }) => kind === "radiograph")
        .map((file) => ({
          radiographId: file.id,
          fileName: file.fileName,
          fileType: file.radiographType,
          uploadDate: isoMoment(file.uploadedAt),
        })),
      terminationLetters: sections.letters.map((letter) => ({
        letterNumber: letter.letter_number,
        sendDate: letter.send_date === null ? null : isoMoment(letter.send_date),
        diagnosFileName: letter.diagnosis_file_name,
        rentgenFileName: letter.radiograph_file_name,
        status: seesInternal ? letter.status : null,
      })),
    };
  },
});

const lastSent = (moments: string[]) => (moments.length === 0 ? null : isoMoment(moments.sort().at(-1)!));

/** Under the overview's names and under the wizard's. */
function apiPatientOf(row: ReferralRow) {
  const {
    first_name: firstName,
    last_name: lastName,
    address,
    zip,
    city,
    phone,
    mobile_phone: mobilePhone,
    email,
    profession,
  } = row;
  return {
    patientFirstName: firstName,
    patientLastName: lastName,
    patientAddress: address,
    patientZip: zip,
    patientCity: city,
    patientPhone: phone,
    patientMobilePhone: mobilePhone,
    patientEmail: email,
    patientDoesntHaveEboks: row.patient_without_eboks === 1,
    firstName,
    lastName,
    profession,
    address,
    zip,
    city,
    phone,
    mobilePhone,
    email,
  };
}

function formOf(row: ReferralRow, files: ReferralFile[]) {
  return {
    visitType: row.visit_type,
    externalId: row.external_id,
    referenceType: row.reference_type,
    callType: row.call_type,
    paymentType: row.payment_type,
    insuranceCompany: row.insurance_company,
    policeClaim: row.police_claim,
    regionNumber: row.region_number,
    regionAddress: row.region_address,
    regionInstitution: row.region_institution,
    regionZip: row.region_zip,
    regionCity: row.region_city,
    appropriationType: row.approval_type,
    appropriationFileName: files.find(({ kind }) => kind === "approval")?.fileName ?? null,
    diagnose: row.diagnose,
    previousTreatment: row.previous_treatment,
    desiredTreatment: row.desired_treatment,
    comment: row.comment,
    isHealthInsurance: row.is_health_insurance === 1,
    healthInsuranceType: row.health_insurance_type,
    journalFileNames: files.filter(({ kind }) => kind === "journal").map(({ fileName }) => fileName),
    radiographsSendType: row.radiographs_send_type,
  };
}

/** The extra comment belongs to status 8. */
function planOf(row: ReferralRow, seesInternal: boolean) {
  return {
    operationDate: row.operation_date,
    operationTimeHours: row.operation_hour,
    operationTimeMinutes: row.operation_minute,
    operationDuration: row.operation_duration,
    treatmentType: row.treatment_type_id,
    surgeonComment: row.surgeon_comment,
    notNeedTreatmentComment: row.status === DECLINED ? row.not_need_treatment_comment : null,
    price: row.price === null ? null : Number(row.price),
    sendRadiographToPatient: seesInternal && row.send_radiograph_to_patient === 1,
    forceRadiographExport: seesInternal && row.force_radiograph_export === 1,
  };
}

function marksOf(row: ReferralRow, actor: Actor) {
  const seesInternal = can(actor, "referral.readInternal");
  return {
    isRadiographUploaded: row.has_radiographs === 1,
    isPdfFile: row.sent_at !== null,
    haveUnansweredMessage:
      (can(actor, "message.answer") ? row.has_unanswered_message : row.referrer_has_unread_messages) === 1,
    surgeonHaveUnreadMessages: seesInternal ? row.surgeon_has_unread_messages === 1 : null,
    isTestVisit: seesInternal && row.is_test === 1,
    exportedToCsv: seesInternal ? row.exported_to_csv === 1 : null,
    radiographExportStatus: seesInternal ? row.radiograph_export_status : null,
    callUpStatus: row.call_up_status,
  };
}

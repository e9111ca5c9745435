import { z } from "zod";
import { id } from "../api-route.server";
import { isoDay, moment, text } from "./call-shapes.server";
import { inApiNames, readFacts } from "./fact-shapes.server";
import type { Referral } from "~/features/referrals/details/read-referral.server";

const number = z.int().nullable();
const flag = z.boolean();

const common = {
  id: z.int(),
  /** Counts edits other than status. With `statusVersion` it is the `ETag` `"version.statusVersion"`. */
  version: z.int(),
  statusVersion: z.int(),
  externalId: text,
  status: z.int(),
  referenceType: z.int(),
  createDate: moment,
  patientFirstName: z.string(),
  patientLastName: z.string(),
  patientAge: number,
  cpr: text,
  isRadiographUploaded: flag,
  isPdfFile: flag,
  haveUnansweredMessage: flag,
  isTestVisit: flag,
};

export const listedVisit = z.object({
  ...common,
  externalDoctorId: text.optional(),
  exportedToCsv: flag.optional(),
  radiographExportStatus: number.optional(),
});

export const visit = z.object({
  ...common,
  isDraft: flag,
  modifyDate: moment.nullable(),
  patientAddress: text,
  patientZip: text,
  patientCity: text,
  patientPhone: text,
  patientMobilePhone: text,
  patientEmail: text,
  patientDoesntHaveEboks: flag,
  firstName: z.string(),
  lastName: z.string(),
  email: text,
  visitType: z.enum(["simple", "edi"]),
  ...readFacts,
  appropriationFileName: text,
  journalFileNames: z.array(z.string()),
  radiographsSendType: z.int(),
  doctorId: number,
  doctorFullName: text,
  doctorEmail: text,
  doctorClinic: text,
  clinicId: number,
  canChangeClinic: flag,
  externalDoctorId: text,
  ediResponsibleDentist: text,
  sendNotificationToDentist: flag,
  surgeonId: number,
  surgeonFullName: text,
  operationDate: z.iso.date().nullable(),
  operationTimeHours: number,
  operationTimeMinutes: number,
  operationDuration: number,
  treatmentType: number,
  surgeonComment: text,
  notNeedTreatmentComment: text,
  price: z.number().nullable(),
  sendRadiographToPatient: flag,
  forceRadiographExport: flag,
  visitAppointments: z.array(
    z.object({
      date: z.iso.date(),
      time: text,
      treatment: z.string(),
      externalAppointmentCode: z.string(),
      isCancelled: flag,
    }),
  ),
  appointmentDate: z.iso.date().nullable(),
  terminationEmailSendDate: moment.nullable(),
  surgeonHaveUnreadMessages: flag.nullable(),
  exportedToCsv: flag.nullable(),
  radiographExportStatus: number,
  callUpStatus: number,
  missingMaterials: z.array(
    z.object({
      kind: z.string(),
      text,
      answer: z.enum(["open", "files", "none", "withdrawn"]),
      reply: text,
      answerDate: moment.nullable(),
    }),
  ),
  journalFiles: z.array(z.object({ journalId: z.int(), fileName: z.string() })),
  radiographFiles: z.array(
    z.object({ radiographId: z.int(), fileName: z.string(), fileType: number, uploadDate: moment }),
  ),
  terminationLetters: z.array(
    z.object({
      letterNumber: z.int(),
      sendDate: moment.nullable(),
      diagnosFileName: text,
      rentgenFileName: text,
      status: number,
    }),
  ),
});

/** Hour or minutes of an operation: a number or two digits. */
const timePart = z.union([z.int(), z.string().regex(/^\d{1,2}$/)], { error: "Skal være et tal." }).nullable();

export const visitChange = z.object({
  visitId: id,
  patientCpr: z.string().optional(),
  patientFirstName: z.string().optional(),
  patientLastName: z.string().optional(),
  patientAddress: text.optional(),
  patientZip: z.string().optional(),
  patientCity: z.string().optional(),
  patientPhone: text.optional(),
  patientMobilePhone: text.optional(),
  patientEmail: text.optional(),
  patientDoesntHaveEboks: flag.optional(),
  makeTest: flag.optional(),
  visitType: z.enum(["simple", "edi"]).optional(),
  externalId: text.optional(),
  externalDoctorId: text.optional(),
  operationDate: isoDay.nullable().optional(),
  operationTimeHours: timePart.optional(),
  operationTimeMinutes: timePart.optional(),
  operationDuration: number.optional(),
  treatmentType: number.optional(),
  surgeonId: number.optional(),
  surgeonComment: text.optional(),
  notNeedTreatmentComment: text.optional(),
  price: z.number().min(0).max(999_999_999).nullable().optional(),
  sendRadiographToPatient: flag.optional(),
  forceRadiographExport: flag.optional(),
  status: z.int().optional(),
  isDeleteAttachments: flag.optional(),
});

export const logEntry = z.object({
  id: z.int(),
  modifierName: z.string(),
  modifyDate: moment,
  status: number,
  treatmentType: text,
  surgeonComment: text,
  logType: text,
  event: text,
});
export const appointmentLetter = z.object({
  id: z.int(),
  appointmentType: z.int(),
  status: z.int(),
  sendDate: moment.nullable(),
  createDate: moment,
  content: text,
});
export const callUp = z.object({
  id: z.int(),
  incallType: z.int(),
  callUpStatus: z.int(),
  incallDate: moment.nullable(),
  pdfFileName: text,
  visitLogId: number,
  incallContent: text,
});
export const billingLetter = z.object({ id: z.int(), status: z.int(), sendDate: moment.nullable() });

/** A referral in the API's shape; patient fields have two names (docs/decisions/0028). */
export function visitAnswer(referral: Referral) {
  const { patient, referrer, sections } = referral;
  return {
    id: referral.id,
    version: referral.version,
    statusVersion: referral.statusVersion,
    isDraft: referral.isDraft,
    status: referral.status,
    createDate: referral.createdAt,
    modifyDate: referral.modifiedAt,
    ...patientAnswer(patient),
    ...formAnswer(referral),
    doctorId: referrer.id,
    doctorFullName: referrer.name,
    doctorEmail: referrer.email,
    doctorClinic: referrer.clinic,
    clinicId: referrer.clinicId,
    canChangeClinic: referrer.mayChangeClinic,
    externalDoctorId: referrer.externalId,
    ediResponsibleDentist: referral.referral.ediResponsibleDentist,
    sendNotificationToDentist: referrer.hearsOfStatus,
    ...planAnswer(referral),
    terminationEmailSendDate: sections.letters.reduce<string | null>(
      (last, { sentAt }) => (sentAt !== null && (last === null || sentAt > last) ? sentAt : last),
      null,
    ),
    isRadiographUploaded: referral.hasRadiographs,
    isPdfFile: !referral.isDraft,
    haveUnansweredMessage: referral.hasNewMessage,
    surgeonHaveUnreadMessages: referral.surgeonHasUnread,
    isTestVisit: referral.isTest,
    exportedToCsv: referral.isExported,
    radiographExportStatus: referral.exportStatus,
    callUpStatus: sections.callUpStatus,
    missingMaterials:
      referral.material?.lines.map((line) => ({
        kind: line.kind,
        text: line.text,
        answer: line.answer,
        reply: line.reply,
        answerDate: line.answeredAt,
      })) ?? [],
    radiographFiles: referral.images.map((image) => ({
      radiographId: image.id,
      fileName: image.name,
      fileType: image.type,
      uploadDate: image.uploadedAt,
    })),
    terminationLetters: sections.letters.map((letter) => ({
      letterNumber: letter.number,
      sendDate: letter.sentAt,
      diagnosFileName: letter.letterFile,
      rentgenFileName: letter.imagesFile,
      status: letter.delivery?.status ?? null,
    })),
  };
}

function patientAnswer({ age, cpr, hasEboks, ...patient }: Referral["patient"]) {
  const { firstName, lastName, address, zip, city, phone, mobilePhone, email } = patient;
  return {
    patientFirstName: firstName,
    patientLastName: lastName,
    patientAddress: address,
    patientZip: zip,
    patientCity: city,
    patientPhone: phone,
    patientMobilePhone: mobilePhone,
    patientEmail: email,
    patientDoesntHaveEboks: !hasEboks,
    patientAge: age,
    cpr,
    ...patient,
  };
}

function formAnswer({ referral: form, ediId, files }: Referral) {
  const { ediResponsibleDentist: _dentist, ...facts } = form;
  const journals = files.filter(({ kind }) => kind === "journal");
  return {
    ...inApiNames(facts),
    externalId: ediId,
    appropriationFileName: files.find(({ kind }) => kind === "approval")?.name ?? null,
    journalFileNames: journals.map(({ name }) => name),
    journalFiles: journals.map((file) => ({ journalId: file.id, fileName: file.name })),
  };
}

function planAnswer({ plan, sections }: Referral) {
  return {
    operationDate: plan.date,
    operationTimeHours: plan.hour,
    operationTimeMinutes: plan.minute,
    operationDuration: plan.minutes,
    treatmentType: plan.treatmentTypeId,
    surgeonId: plan.surgeonId,
    surgeonFullName: plan.surgeon,
    surgeonComment: plan.comment,
    notNeedTreatmentComment: plan.statusComment,
    price: plan.price,
    sendRadiographToPatient: plan.sendsRadiographs,
    forceRadiographExport: plan.forcesExport,
    visitAppointments: sections.appointments.map((line) => ({
      date: line.date,
      time: line.time,
      treatment: line.treatment,
      externalAppointmentCode: line.externalCode,
      isCancelled: line.isCancelled,
    })),
    appointmentDate: sections.appointments.find((line) => !line.isCancelled)?.date ?? null,
  };
}

import { z } from "zod";
import { eachText } from "~/features/referrals/model/clinical-facts";
import { id } from "~/http/api/api-route.server";
import { isoDay, moment, text } from "./call-shapes.server";

const number = z.int().nullable();
const flag = z.boolean();

const common = {
  id: z.int(),
  /** With `statusVersion` the `ETag` `"version.statusVersion"`. Counts edits other than status. */
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
  profession: text,
  address: text,
  zip: text,
  city: text,
  phone: text,
  mobilePhone: text,
  email: text,
  visitType: z.enum(["simple", "edi"]),
  callType: z.int(),
  paymentType: z.int(),
  insuranceCompany: text,
  policeClaim: text,
  regionNumber: text,
  regionAddress: text,
  regionInstitution: text,
  regionZip: text,
  regionCity: text,
  appropriationType: z.int(),
  appropriationFileName: text,
  ...eachText(() => text),
  isHealthInsurance: flag,
  healthInsuranceType: z.int(),
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

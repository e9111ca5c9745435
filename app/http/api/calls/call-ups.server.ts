import { z } from "zod";
import { callUpByPhone, downloadCallUpPdf, updateCallUp, sendCallUp } from "~/features/call-ups/send-call-up.server";
import { callUpColumns, callUpView } from "~/features/call-ups/call-up-list";
import { listCallUps } from "~/features/call-ups/call-up-list.server";
import { downloadLetterBatch, readLetterArchive } from "~/features/letter-batches/read-letter-archive.server";
import { sendAppointmentLetter } from "~/features/appointment-letters/operations.server";
import {
  readAppointmentLetters,
  readBilling,
  readCallUpsSent,
} from "~/features/referrals/details/read-sent-items.server";
import { contactFields } from "~/features/referrals/details/save-contact.server";
import type { ResultOf } from "~/access/operation.server";
import { call, id } from "~/http/api/api-route.server";
import {
  dayOf,
  isoDay,
  listParams,
  moment,
  requestedPage,
  rowsOf,
  text,
  filterNames,
  filterOf,
  filterParams,
} from "./call-shapes.server";
import { appointmentLetter, billingLetter, callUp } from "./visit-shapes.server";

const { PatientName, Cpr, VisitNumber, DateFrom, DateTo, DoctorId, Statuses } = filterParams;

const callUpItem = z.object({
  id: z.int(),
  patientCPR: text,
  patientFullName: z.string(),
  createDate: moment,
  status: z.int(),
  callUpType: z.int().nullable(),
  callUpDate: moment.nullable(),
  canRecall: z.boolean(),
  callUpStatus: z.int().nullable(),
  patientAddress: text,
  patientZip: text,
  patientCity: text,
  patientEmail: text,
  patientPhone: text,
  patientMobilePhone: text,
  callUpComment: text,
  treatmentType: z.int().nullable(),
  operationDate: z.iso.date().nullable(),
  modifierFullName: text,
  modifyDate: moment,
  patientDoesntHaveEboks: z.boolean(),
});

type Row = ResultOf<typeof listCallUps>["rows"][number];

const callUpAnswer = (row: Row): z.output<typeof callUpItem> => ({
  id: row.id,
  patientCPR: row.cpr,
  patientFullName: row.name,
  createDate: row.createdAt,
  status: row.status,
  callUpType: row.callUpType,
  callUpDate: row.callUpAt,
  canRecall: row.canRecall,
  callUpStatus: row.callUpStatus,
  patientAddress: row.address,
  patientZip: row.zip,
  patientCity: row.city,
  patientEmail: row.email,
  patientPhone: row.phone,
  patientMobilePhone: row.mobilePhone,
  callUpComment: row.comment,
  treatmentType: row.treatmentTypeId,
  operationDate: row.operation?.date ?? null,
  modifierFullName: row.modifierName,
  modifyDate: row.modifiedAt,
  patientDoesntHaveEboks: row.isWithoutEboks,
});

const appointmentLettersAnswer = ({ lines }: ResultOf<typeof readAppointmentLetters>) =>
  lines.map((line) => ({
    id: line.id,
    appointmentType: line.type,
    status: line.status,
    sendDate: line.sentAt,
    createDate: line.createdAt,
    content: line.content,
  }));

const contact = z.string().nullish();
/** Absent fields stay; null or empty ones are cleared. */
const payload = z.object({
  recall: z.boolean().optional(),
  visitId: id,
  patientAddress: contact,
  patientZip: contact,
  patientCity: contact,
  patientEmail: contact,
  patientPhone: contact,
  patientMobilePhone: contact,
  incallComment: contact,
  incallType: z.int().optional(),
});

function inputOf({ recall: _recall, visitId, ...fields }: z.output<typeof payload>, seenVersion: number | undefined) {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return {
    ...Object.fromEntries(named),
    referralId: visitId,
    seenVersion,
    unchanged: contactFields.filter((field) => fields[field] === undefined),
  };
}

export const callUpCalls = [
  call("GET /Incall", {
    summary:
      "Those who are to be called up; OrderBy 1 id, 2 CPR, 3 patient name, 4 create date, 6 status, 7 call-up type, 8 call-up date, 9 call-up status",
    scope: null,
    operation: listCallUps,
    params: {
      ...listParams(callUpColumns),
      PatientName,
      Cpr,
      VisitNumber,
      DateFrom,
      DateTo,
      DoctorId,
      Statuses,
    },
    names: filterNames,
    answer: {
      schema: z.object({ paginationResult: z.object({ entities: z.array(callUpItem), totalEntities: z.int() }) }),
    },
    async run(ask, { params }) {
      const input = { ...requestedPage(params, callUpView.defaultSort), filter: filterOf(params) };
      const list = await ask(listCallUps, input);
      const entities = rowsOf(list, params.CurrentPage).map(callUpAnswer);
      return { paginationResult: { entities, totalEntities: list.total } };
    },
  }),
  call("PUT /Incall", {
    summary: "Save how a patient can be reached, and with recall call them up: 0 Email, 1 Brev, 2 SMS, 3 e-Boks",
    scope: null,
    operation: sendCallUp,
    json: payload,
    run: (ask, { body, seenVersion }) => ask(body.recall ? sendCallUp : updateCallUp, inputOf(body, seenVersion)),
  }),
  call("POST /Incall/sendCallUpPhone", {
    summary: "The patient was given a time by telephone",
    scope: null,
    operation: callUpByPhone,
    json: payload,
    run: (ask, { body, seenVersion }) => ask(callUpByPhone, inputOf(body, seenVersion)),
  }),
  call("POST /Visits/{id}/callups/{n}", {
    summary: "Call the patient up as they can be reached now: 0 Email, 1 Brev, 2 SMS, 3 e-Boks",
    scope: null,
    operation: sendCallUp,
    params: { id, n: z.int() },
    run: (ask, { params }) =>
      ask(sendCallUp, { referralId: params.id, incallType: params.n, unchanged: contactFields }),
  }),
  call("POST /Visits/{id}/appointmentinfo/{n}", {
    summary: "Send the patient the date and time of the operation: 0 Email, 1 Brev, 2 e-Boks",
    scope: null,
    operation: sendAppointmentLetter,
    params: { id, n: z.int() },
    names: { appointmentType: "n" },
    answer: { schema: z.array(appointmentLetter) },
    async run(ask, { params }) {
      await ask(sendAppointmentLetter, { referralId: params.id, appointmentType: params.n });
      return appointmentLettersAnswer(await ask(readAppointmentLetters, { referralId: params.id }));
    },
  }),
  call("GET /Incall/download/pdf/{id}", {
    summary: "The PDF that left, by visitLogId",
    scope: null,
    operation: downloadCallUpPdf,
    params: { id },
    answer: { file: "application/pdf" },
    run: (ask, { params }) => ask(downloadCallUpPdf, { visitLogId: params.id }),
  }),
  call("GET /Incall/archive", {
    summary: "Batches of letters by the days they were made",
    scope: null,
    operation: readLetterArchive,
    params: { From: isoDay.optional(), To: isoDay.optional() },
    answer: { schema: z.array(z.object({ id: z.int(), date: moment })) },
    async run(ask, { params }) {
      const { batches } = await ask(readLetterArchive, {
        from: params.From && dayOf(params.From),
        to: params.To && dayOf(params.To),
      });
      return batches.map(({ id: batchId, date }) => ({ id: batchId, date }));
    },
  }),
  call("GET /Incall/archive/{id}", {
    summary: "A batch of letters as one PDF",
    scope: null,
    operation: downloadLetterBatch,
    params: { id },
    answer: { file: "application/pdf" },
    run: (ask, { params }) => ask(downloadLetterBatch, { batchId: params.id }),
  }),
  call("GET /Incall/logs/{id}", {
    summary: "The call-ups of a referral",
    scope: null,
    operation: readCallUpsSent,
    params: { id },
    answer: { schema: z.array(callUp) },
    run: async (ask, { params }) =>
      (await ask(readCallUpsSent, { referralId: params.id })).lines.map((line) => ({
        id: line.id,
        incallType: line.type,
        callUpStatus: line.status,
        incallDate: line.sentAt,
        pdfFileName: line.fileName,
        visitLogId: line.logId,
        incallContent: line.content,
      })),
  }),
  call("GET /Visits/{id}/appointmentinfo", {
    summary: "The letters that told the patient of their time",
    scope: "appointments",
    operation: readAppointmentLetters,
    params: { id },
    answer: { schema: z.array(appointmentLetter) },
    run: async (ask, { params }) =>
      appointmentLettersAnswer(await ask(readAppointmentLetters, { referralId: params.id })),
  }),
  call("GET /Invoices/{id}", {
    summary: "Invoices and estimates that were sent",
    scope: "read",
    operation: readBilling,
    params: { id },
    answer: { schema: z.object({ invoices: z.array(billingLetter), offers: z.array(billingLetter) }) },
    async run(ask, { params }) {
      const { lines } = await ask(readBilling, { referralId: params.id });
      const ofKind = (kind: string) =>
        lines
          .filter((line) => line.kind === kind)
          .map((line) => ({ id: line.id, status: line.status, sendDate: line.sentAt }));
      return { invoices: ofKind("invoice"), offers: ofKind("offer") };
    },
  }),
];

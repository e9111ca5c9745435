import { z } from "zod";
import type { ResultOf } from "~/access/operation.server";
import { visibleLabel } from "~/features/referrals/model/status";
import { listSms } from "~/features/sms-threads/sms-list.server";
import { sendSmsWithCancellation, sendSmsWithoutCancellation } from "~/features/sms-threads/operations.server";
import { apiSmsSort, smsColumns } from "~/features/sms-threads/sms-list";
import { call, id } from "~/http/api/api-route.server";
import { momentThere } from "~/text/copenhagen.server";
import { dayOf, isoDay, listParams, moment, requestedPage, rowsOf, text } from "./call-shapes.server";

const smsMessage = z.object({
  isIncomingMessage: z.boolean(),
  status: z.int(),
  statusText: z.string(),
  date: moment,
  message: z.string(),
  from: text,
  cancellationDetected: z.boolean(),
});

const smsVisit = z.object({
  visitId: z.int(),
  patientCpr: text,
  patientFullName: z.string(),
  operationDate: moment.nullable(),
  cancellationDate: moment.nullable(),
  messagesCount: z.int(),
  hasCancellationMessage: z.boolean(),
  visitStatusText: z.string(),
  messages: z.array(smsMessage),
});

type Listed = ResultOf<typeof listSms>;
type Message = NonNullable<Listed["rows"][number]["messages"]>[number];

const SUCCEEDED = 1;
const statusTexts = ["I kø", "Succes", "Mislykkedes"];

const messageAnswer = (message: Message): z.output<typeof smsMessage> => {
  const status = message.isIncoming ? SUCCEEDED : message.status;
  return {
    isIncomingMessage: message.isIncoming,
    status,
    statusText: statusTexts[status] ?? "",
    date: message.at,
    message: message.text,
    from: message.isIncoming ? message.from : null,
    cancellationDetected: message.isIncoming && message.isCancellation,
  };
};

const visitAnswer = (row: Listed["rows"][number], settings: Listed): z.output<typeof smsVisit> => ({
  visitId: row.id,
  patientCpr: row.cpr,
  patientFullName: row.name,
  operationDate:
    row.operation && momentThere(row.operation.date, row.operation.hour ?? 0, row.operation.minute ?? 0).toISOString(),
  cancellationDate: row.cancelledAt,
  messagesCount: row.messageCount,
  hasCancellationMessage: row.hasCancellationMessage,
  visitStatusText: visibleLabel(row.status, settings),
  messages: (row.messages ?? []).map(messageAnswer),
});

export const smsCalls = [
  call("GET /SmsAppointments", {
    summary:
      "Those who have a time or a thread of SMS; OrderBy 0 patient name, 1 operation date, 2 cancellation date. With VisitId alone that one",
    scope: null,
    operation: listSms,
    params: {
      ...listParams(smsColumns),
      PatientName: z.string().optional(),
      From: isoDay.optional(),
      To: isoDay.optional(),
      VisitId: z.int().positive().optional(),
      PatientCpr: z.string().optional(),
      onlyCancelledVisits: z.boolean().optional(),
    },
    names: {
      patientName: "PatientName",
      dateFrom: "From",
      dateTo: "To",
      visitNumber: "VisitId",
      cpr: "PatientCpr",
      onlyCancelled: "onlyCancelledVisits",
    },
    answer: {
      schema: z.object({ entities: z.array(smsVisit), totalPages: z.int(), totalEntities: z.int() }),
    },
    async run(ask, { params }) {
      const list = await ask(listSms, {
        ...requestedPage(params, apiSmsSort),
        withThreads: true,
        filter: {
          patientName: params.PatientName,
          dateFrom: params.From && dayOf(params.From),
          dateTo: params.To && dayOf(params.To),
          visitNumber: params.VisitId,
          cpr: params.PatientCpr,
          onlyCancelled: params.onlyCancelledVisits ? true : undefined,
        },
      });
      return {
        entities: rowsOf(list, params.CurrentPage).map((row) => visitAnswer(row, list)),
        totalPages: list.pageCount,
        totalEntities: list.total,
      };
    },
  }),
  call("POST /SmsAppointments/visitid/{id}/send-sms-with-cancellation", {
    summary: "Remind the patient of the time, with how to cancel",
    scope: null,
    operation: sendSmsWithCancellation,
    params: { id },
    run: (ask, { params }) => ask(sendSmsWithCancellation, { referralId: params.id }),
  }),
  call("POST /SmsAppointments/visitid/{id}/send-sms-without-cancellation", {
    summary: "Remind the patient of the time",
    scope: null,
    operation: sendSmsWithoutCancellation,
    params: { id },
    run: (ask, { params }) => ask(sendSmsWithoutCancellation, { referralId: params.id }),
  }),
];

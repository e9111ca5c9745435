import { z } from "zod";
import type { ResultOf } from "~/access/operation.server";
import { deleteLetter, sendLetterImages, setEdiAsEmail } from "~/features/discharge-letters/operations.server";
import { downloadLetter } from "~/features/discharge-letters/read-discharge-letters.server";
import { resendLetter } from "~/features/discharge-letters/queue-letter.server";
import { dischargeColumns, dischargeView } from "~/features/discharge-letters/discharge-letter-list";
import { listDischargeLetters } from "~/features/discharge-letters/discharge-letter-list.server";
import { uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import { call, id } from "~/http/api/api-route.server";
import { joinCprBoxes } from "~/text/cpr";
import { localDate } from "~/text/dates";
import { FILE, listParams, moment, requestedPage, rowsOf, text, filterNames, filterParams } from "./call-shapes.server";

const { OrderBy, PageSize } = listParams(dischargeColumns);
const { PatientName, VisitNumber, DoctorId, OnlyEdi } = filterParams;
const number = z.int().positive().max(999);
/** Seconds since 1970. */
const second = z.int().min(0).max(99_999_999_999);
const letterOf = { id, n: number };
const letterIdsOf = (params: { id: number; n: number }) => ({ referralId: params.id, letterNumber: params.n });

const letter = z.object({
  letterNumber: z.int(),
  visitId: z.int(),
  sendDate: moment.nullable(),
  diagnosFileName: text,
  rentgenFileName: text,
  diagnosCreateDate: moment.nullable(),
  status: z.int().nullable(),
  errorMessage: text,
  isEdiTermination: z.boolean(),
  sendEdiTerminationAsEmail: z.boolean(),
  recipientEmail: text,
  surgeonEmail: text,
  attempts: z.int(),
  patientMessageType: z.int().nullable(),
  patientMessageStatus: z.int().nullable(),
  patientMessageStatusDate: moment.nullable(),
});

const tracked = z.object({
  id: z.int(),
  cpr: text,
  patientName: z.string(),
  terminationEmailSendDate: moment.nullable(),
  doctorEmail: text,
  externalId: text,
  letters: z.array(letter),
});

type Row = ResultOf<typeof listDischargeLetters>["rows"][number];

/** 0 in queue, 1 success, 2 failed. */
const messageStatus = { queued: 0, awaiting: 0, sent: 1, failed: 2, unknown: 2, withdrawn: 2 } as const;

const trackedAnswer = (row: Row): z.output<typeof tracked> => ({
  id: row.id,
  cpr: row.cpr,
  patientName: row.name,
  terminationEmailSendDate: row.sentAt,
  doctorEmail: row.referrerEmail,
  externalId: row.ediId,
  letters: row.letters.map((each) => ({
    letterNumber: each.number,
    visitId: row.id,
    sendDate: each.sentAt,
    diagnosFileName: each.letterFile,
    rentgenFileName: each.imageFiles[0] ?? null,
    diagnosCreateDate: each.letterCreatedAt,
    status: each.status,
    errorMessage: each.error,
    isEdiTermination: each.isEdi,
    sendEdiTerminationAsEmail: each.sendsEdiAsEmail,
    recipientEmail: each.recipient,
    surgeonEmail: each.surgeon,
    attempts: each.attempts,
    patientMessageType: each.patientMessage?.type ?? null,
    patientMessageStatus: each.patientMessage ? messageStatus[each.patientMessage.outcome] : null,
    patientMessageStatusDate: each.patientMessage?.at ?? null,
  })),
});

const dayOfSecond = (sent: number | undefined) => (sent === undefined ? undefined : localDate(new Date(sent * 1000)));

export const dischargeLetterCalls = [
  call("GET /TerminationLetters", {
    summary:
      "Referrals with a discharge letter; OrderBy 1 send date, 2 id, 3 CPR, 4 patient name; DateFrom and DateTo in seconds since 1970",
    scope: "read",
    operation: listDischargeLetters,
    params: {
      OrderBy,
      OrderByDesc: z.boolean().optional(),
      PageNumber: z.int().min(1).max(1_000_000).optional(),
      PageSize,
      PatientName,
      VisitNumber,
      Cpr: z.string().optional(),
      Cpr2: z.string().optional(),
      DoctorId,
      DateFrom: second.optional(),
      DateTo: second.optional(),
      OnlyEdi,
    },
    names: filterNames,
    answer: { schema: z.object({ totalCount: z.int(), visits: z.array(tracked) }) },
    async run(ask, { params }) {
      const list = await ask(listDischargeLetters, {
        ...requestedPage(
          {
            OrderBy: params.OrderBy,
            OrderByAscending: params.OrderByDesc === undefined ? undefined : !params.OrderByDesc,
            CurrentPage: params.PageNumber,
            PageSize: params.PageSize,
          },
          dischargeView.defaultSort,
        ),
        filter: {
          patientName: params.PatientName,
          visitNumber: params.VisitNumber,
          cpr: joinCprBoxes(params.Cpr ?? "", params.Cpr2 ?? "") || undefined,
          referrerId: params.DoctorId,
          dateFrom: dayOfSecond(params.DateFrom),
          dateTo: dayOfSecond(params.DateTo),
          onlyEdi: params.OnlyEdi ? true : undefined,
        },
      });
      return { totalCount: list.total, visits: rowsOf(list, params.PageNumber).map(trackedAnswer) };
    },
  }),
  call("GET /TerminationLetters/{id}/diagnosis/{n}", {
    summary: "The PDF of a discharge letter",
    scope: "read",
    operation: downloadLetter,
    params: letterOf,
    answer: { file: "application/pdf" },
    run: (ask, { params }) => ask(downloadLetter, { ...letterIdsOf(params), kind: "pdf" }),
  }),
  call("GET /TerminationLetters/{id}/rentgen/{n}", {
    summary: "The X-ray image or photo of a discharge letter; several as a ZIP",
    scope: "read",
    operation: downloadLetter,
    params: letterOf,
    answer: { file: FILE },
    run: (ask, { params }) => ask(downloadLetter, { ...letterIdsOf(params), kind: "images" }),
  }),
  call("POST /TerminationLetters/{id}/diagnose/{n}", {
    summary:
      "Upload the PDF of a discharge letter, as `file`; the next number makes a letter. It is sent to the referrer",
    scope: null,
    operation: uploadLetter,
    params: letterOf,
    form: z.object({}),
    files: { file: "letterPdf" },
    names: { letterPdf: "file", diagnose: "file" },
    run: (ask, { params, formKey }) => ask(uploadLetter, { ...letterIdsOf(params), formKey }),
  }),
  call("POST /TerminationLetters/{id}/rentgen/{n}", {
    summary: "Upload X-ray images or photos to a discharge letter, as `file`, in the place of those that it has",
    scope: null,
    operation: uploadLetterImages,
    params: letterOf,
    form: z.object({}),
    files: { file: "letterImages" },
    names: { letterImages: "file" },
    run: (ask, { params, formKey }) => ask(uploadLetterImages, { ...letterIdsOf(params), formKey }),
  }),
  call("POST /TerminationLetters/{id}/resendemail/{n}", {
    summary: "Send a discharge letter to the referrer once more",
    scope: null,
    operation: resendLetter,
    params: letterOf,
    run: (ask, { params }) => ask(resendLetter, letterIdsOf(params)),
  }),
  call("DELETE /TerminationLetters/{id}/number/{n}", {
    summary: "Delete a discharge letter with its files",
    scope: null,
    operation: deleteLetter,
    params: letterOf,
    run: (ask, { params }) => ask(deleteLetter, letterIdsOf(params)),
  }),
  call("PUT /TerminationLetters/edi/{id}/number/{n}", {
    summary: "Whether a letter that goes by EDI is sent as a system e-mail too",
    scope: null,
    operation: setEdiAsEmail,
    params: letterOf,
    json: z.object({ sendEdiTerminationAsEmail: z.boolean() }),
    run: (ask, { params, body }) => ask(setEdiAsEmail, { ...letterIdsOf(params), ...body }),
  }),
  call("POST /TerminationLetters/{id}/rentgen/{n}/send-message-to-patient", {
    summary: "Send the patient a link to a letter's X-ray images: 0 e-Boks, 1 SMS",
    scope: null,
    operation: sendLetterImages,
    params: letterOf,
    json: z.object({ MessageType: z.int() }),
    names: { messageType: "MessageType" },
    run: (ask, { params, body }) =>
      ask(sendLetterImages, {
        ...letterIdsOf(params),
        messageType: body.MessageType,
      }),
  }),
];

import { z } from "zod";
import { type LogPage, listLog } from "~/features/logs/log-list.server";
import { call } from "~/http/api/api-route.server";
import { listParams, moment, rowsOf } from "./call-shapes.server";
import type { LogName } from "~/features/logs/log-types";

const { CurrentPage: currentPage, PageSize: pageSize } = listParams([]);
const page = { CurrentPage: currentPage, PageSize: pageSize, visitNumber: z.int().positive().optional() };
const type = z.int().min(0).optional();

const state = z.int().min(0).max(2);

type Row = LogPage["rows"][number];

/** A call for a page of a log, with the types that its rows may have. */
function logCall<E extends z.ZodType>(
  path: `GET /${string}`,
  {
    summary,
    log,
    wanted,
    types,
    entity,
    entityOf,
  }: {
    summary: string;
    log: LogName;
    /** Names of the type: as parameter (`wanted`), and of the list of types in the answer (`types`). */
    wanted: string;
    types: string;
    entity: E;
    entityOf(row: Row): z.input<E>;
  },
) {
  return call(path, {
    summary,
    scope: null,
    operation: listLog,
    params: { ...page, [wanted]: type },
    answer: {
      schema: z.object({
        paginationResult: z.object({ entities: z.array(entity), totalEntities: z.int(), totalPages: z.int() }),
        [types]: z.array(z.object({ item1: z.int(), item2: z.string() })),
      }),
    },
    async run(ask, { params }) {
      const {
        CurrentPage,
        PageSize,
        visitNumber,
        [wanted]: ofType = null,
      } = params as Record<string, number | undefined>;
      const found = await ask(listLog, {
        log,
        visitNumber: visitNumber === undefined ? null : String(visitNumber),
        type: ofType,
        page: CurrentPage ?? 1,
        pageSize: PageSize,
        countsAll: true,
        rowsOnly: true,
      });
      return {
        paginationResult: {
          entities: rowsOf(found, CurrentPage).map(entityOf),
          totalEntities: found.total,
          totalPages: found.pageCount,
        },
        [types]: found.types.map(({ value, label }) => ({ item1: value, item2: label })),
      };
    },
  });
}

export const logCalls = [
  logCall("GET /EmailLog", {
    summary: "A page of the mails that were sent, without the links and codes in them that let somebody in",
    log: "email",
    wanted: "emailType",
    types: "emailTypes",
    entity: z.object({
      dateTimeStamp: moment,
      sender: z.string(),
      recipient: z.string().nullable(),
      subject: z.string().nullable(),
      content: z.string().nullable(),
    }),
    entityOf: (row) => ({
      dateTimeStamp: row.sentAt ?? row.createdAt,
      sender: row.sender,
      recipient: row.to,
      subject: row.subject,
      content: row.content,
    }),
  }),
  logCall("GET /SmsLog", {
    summary: "A page of the SMS that were sent; status 0 in the queue, 1 success, 2 failed",
    log: "sms",
    wanted: "smsType",
    types: "smsTypes",
    entity: z.object({
      createDate: moment,
      sendDate: moment.nullable(),
      patientCpr: z.string().nullable(),
      mobilePhone: z.string().nullable(),
      status: state,
      smsBodyText: z.string().nullable(),
    }),
    entityOf: (row) => ({
      createDate: row.createdAt,
      sendDate: row.sentAt,
      patientCpr: row.cpr,
      mobilePhone: row.to,
      status: row.state,
      smsBodyText: row.content,
    }),
  }),
  logCall("GET /EBoksLogs", {
    summary: "A page of the letters to e-Boks; status 0 in the queue, 1 success, 2 failed",
    log: "eboks",
    wanted: "MessageType",
    types: "eboksMessageTypes",
    entity: z.object({
      visitId: z.int().nullable(),
      createDate: moment,
      sendDate: moment.nullable(),
      patientCpr: z.string().nullable(),
      status: state,
      messageType: z.int().nullable(),
    }),
    entityOf: (row) => ({
      visitId: row.referralId,
      createDate: row.createdAt,
      sendDate: row.sentAt,
      patientCpr: row.cpr,
      status: row.state,
      messageType: row.type,
    }),
  }),
];

import { z } from "zod";
import { type LogPage, listLog } from "~/features/logs/log-list.server";
import { call, type Ask } from "~/http/api/api-route.server";
import { listParams, moment, rowsOf } from "./call-shapes.server";
import type { LogName } from "~/features/logs/log-types";

const { CurrentPage: currentPage, PageSize: pageSize } = listParams([]);
const page = { CurrentPage: currentPage, PageSize: pageSize, visitNumber: z.int().positive().optional() };
const type = z.int().min(0).optional();

const state = z.int().min(0).max(2);
const types = z.array(z.object({ item1: z.int(), item2: z.string() }));

const answerOf = (entity: z.ZodType, name: string) => ({
  schema: z.object({
    paginationResult: z.object({ entities: z.array(entity), totalEntities: z.int(), totalPages: z.int() }),
    [name]: types,
  }),
});

type LogPageParams = z.output<z.ZodObject<typeof page>>;

const askLog = (ask: Ask, log: LogName, { CurrentPage, PageSize, visitNumber }: LogPageParams, wanted?: number) =>
  ask(listLog, {
    log,
    visitNumber: visitNumber === undefined ? null : String(visitNumber),
    type: wanted ?? null,
    page: CurrentPage ?? 1,
    pageSize: PageSize,
    countsAll: true,
    rowsOnly: true,
  });

const paged = (log: LogPage, asked: LogPageParams, entityOf: (row: LogPage["rows"][number]) => object) => ({
  paginationResult: {
    entities: rowsOf(log, asked.CurrentPage).map(entityOf),
    totalEntities: log.total,
    totalPages: log.pageCount,
  },
});

const pairs = (log: LogPage) => log.types.map(({ value, label }) => ({ item1: value, item2: label }));

export const logCalls = [
  call("GET /EmailLog", {
    summary: "A page of the mails that were sent, without the links and codes in them that let somebody in",
    scope: null,
    operation: listLog,
    params: { ...page, emailType: type },
    answer: answerOf(
      z.object({
        dateTimeStamp: moment,
        sender: z.string(),
        recipient: z.string().nullable(),
        subject: z.string().nullable(),
        content: z.string().nullable(),
      }),
      "emailTypes",
    ),
    async run(ask, { params }) {
      const log = await askLog(ask, "email", params, params.emailType);
      const entityOf = (row: LogPage["rows"][number]) => ({
        dateTimeStamp: row.sentAt ?? row.createdAt,
        sender: row.sender,
        recipient: row.to,
        subject: row.subject,
        content: row.content,
      });
      return { ...paged(log, params, entityOf), emailTypes: pairs(log) };
    },
  }),
  call("GET /SmsLog", {
    summary: "A page of the SMS that were sent; status 0 in the queue, 1 success, 2 failed",
    scope: null,
    operation: listLog,
    params: { ...page, smsType: type },
    answer: answerOf(
      z.object({
        createDate: moment,
        sendDate: moment.nullable(),
        patientCpr: z.string().nullable(),
        mobilePhone: z.string().nullable(),
        status: state,
        smsBodyText: z.string().nullable(),
      }),
      "smsTypes",
    ),
    async run(ask, { params }) {
      const log = await askLog(ask, "sms", params, params.smsType);
      const entityOf = (row: LogPage["rows"][number]) => ({
        createDate: row.createdAt,
        sendDate: row.sentAt,
        patientCpr: row.cpr,
        mobilePhone: row.to,
        status: row.state,
        smsBodyText: row.content,
      });
      return { ...paged(log, params, entityOf), smsTypes: pairs(log) };
    },
  }),
  call("GET /EBoksLogs", {
    summary: "A page of the letters to e-Boks; status 0 in the queue, 1 success, 2 failed",
    scope: null,
    operation: listLog,
    params: { ...page, MessageType: type },
    answer: answerOf(
      z.object({
        visitId: z.int().nullable(),
        createDate: moment,
        sendDate: moment.nullable(),
        patientCpr: z.string().nullable(),
        status: state,
        messageType: z.int().nullable(),
      }),
      "eboksMessageTypes",
    ),
    async run(ask, { params }) {
      const log = await askLog(ask, "eboks", params, params.MessageType);
      const entityOf = (row: LogPage["rows"][number]) => ({
        visitId: row.referralId,
        createDate: row.createdAt,
        sendDate: row.sentAt,
        patientCpr: row.cpr,
        status: row.state,
        messageType: row.type,
      });
      return { ...paged(log, params, entityOf), eboksMessageTypes: pairs(log) };
    },
  }),
];

import { z } from "zod";
import { readCallUps } from "~/features/referrals/list/read-queues.server";
import { downloadReferralPdf, regenerateReferralPdf } from "~/features/referrals/details/referral-pdf.server";
import { downloadFileOfKind } from "~/features/referrals/images/download-referral-file.server";
import { columns, overviewView } from "~/features/referrals/list/filters";
import { listReferrals, type ListedReferrals } from "~/features/referrals/list/list-referrals.server";
import type { ListRow } from "~/features/referrals/list/overview-list.server";
import { patchReferral, readVisitLog } from "~/features/referrals/details/operations.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { putReferral } from "~/features/referrals/details/edit-referral.server";
import { sendStatus } from "~/features/referrals/status/operations.server";
import { setStatuses } from "~/features/referrals/status/set-statuses.server";
import { call, id } from "~/http/api/api-route.server";
import {
  cprBoxes,
  dayOf,
  FILE,
  listParams,
  requestedPage,
  rowsOf,
  filterNames,
  filterOf,
  filterParams,
} from "./call-shapes.server";
import { visitAnswer, listedVisit, logEntry, visit, visitChange } from "./visit-shapes.server";

const listedVisitAnswer = (row: ListRow) => ({
  id: row.id,
  version: row.version,
  statusVersion: row.statusVersion,
  externalId: row.ediId,
  status: row.status,
  referenceType: row.referenceType,
  createDate: row.createdAt,
  patientFirstName: row.firstName,
  patientLastName: row.lastName,
  patientAge: row.age,
  cpr: row.cpr,
  isRadiographUploaded: row.hasRadiographs,
  isPdfFile: true,
  haveUnansweredMessage: row.hasNewMessage,
  isTestVisit: row.isTest ?? false,
  // The last three are for staff.
  ...(row.externalDoctorId === undefined
    ? {}
    : {
        externalDoctorId: row.externalDoctorId,
        exportedToCsv: row.isExported ?? false,
        radiographExportStatus: row.exportStatus ?? null,
      }),
});

const newId = z.union([id, z.null()]);
/** RFC 6902, only `replace` of these paths, each once, all or nothing (docs/rules/api.md). */
const patch = z
  .array(
    z.discriminatedUnion(
      "path",
      [
        z.object({ op: z.literal("replace"), path: z.literal("/status"), value: z.int() }),
        z.object({ op: z.literal("replace"), path: z.literal("/doctorId"), value: id }),
        z.object({ op: z.literal("replace"), path: z.literal("/surgeonId"), value: newId }),
      ],
      { error: "Kun /status, /doctorId og /surgeonId kan ændres." },
    ),
  )
  .min(1)
  .refine((changes) => new Set(changes.map(({ path }) => path)).size === changes.length, "Ændr hver værdi én gang.");

export const visitCalls = [
  call("GET /Visits/{id}", {
    summary: "A referral or draft in one's own scope",
    scope: "read",
    operation: readReferral,
    params: { id },
    answer: { schema: visit },
    run: async (ask, { params }) => visitAnswer(await ask(readReferral, { referralId: params.id, orDraft: true })),
  }),
  call("PATCH /Visits/{id}", {
    summary: "Replace /status, /doctorId or /surgeonId; isDeleteAttachments says whether closing deletes the files",
    scope: null,
    operation: patchReferral,
    params: { id, isDeleteAttachments: z.boolean().optional() },
    json: patch,
    names: { referrerId: "doctorId" },
    async run(ask, { params, body, seenVersion, seenStatusVersion }) {
      const value = (path: string) => body.find((each) => each.path === path)?.value;
      const input = {
        referralId: params.id,
        seenVersion,
        seenStatusVersion,
        deleteFiles: params.isDeleteAttachments,
        status: value("/status"),
        referrerId: value("/doctorId"),
        surgeonId: value("/surgeonId"),
      };
      await ask(patchReferral, input);
    },
  }),
  call("GET /Visits", {
    summary:
      "A page of the referrals in one's own scope; OrderBy 1 id, 2 CPR, 3 patient name, 4 age, 5 create date, 7 status",
    scope: "read",
    operation: listReferrals,
    params: { ...filterParams, ...listParams(columns) },
    names: filterNames,
    answer: {
      schema: z.object({ paginationResult: z.object({ entities: z.array(listedVisit), totalEntities: z.int() }) }),
    },
    async run(ask, { params }) {
      const input = { ...requestedPage(params, overviewView.defaultSort), filter: filterOf(params) };
      const list = (await ask(listReferrals, input)) as ListedReferrals;
      const entities = rowsOf(list, params.CurrentPage).map(listedVisitAnswer);
      return { paginationResult: { entities, totalEntities: list.total } };
    },
  }),
  call("PUT /Visits", {
    summary: "Edit a referral; a field that is not named stays, a null or empty one is emptied",
    scope: null,
    operation: putReferral,
    json: visitChange,
    names: {
      firstName: "patientFirstName",
      lastName: "patientLastName",
      address: "patientAddress",
      zip: "patientZip",
      city: "patientCity",
      phone: "patientPhone",
      mobilePhone: "patientMobilePhone",
      email: "patientEmail",
      cpr6: "patientCpr",
      cpr4: "patientCpr",
    },
    async run(ask, { body, seenVersion }) {
      const { visitId, status, isDeleteAttachments, ...fields } = body;
      await ask(putReferral, {
        referralId: visitId,
        seenVersion,
        status,
        deleteFiles: isDeleteAttachments,
        fields: typedFields(fields),
      });
    },
  }),
  call("PUT /Visits/status", {
    summary: "Give many referrals one status; closing them deletes no files",
    scope: null,
    operation: setStatuses,
    form: z.object({ VisitIds: z.array(id).min(1).max(1000), Status: z.int() }),
    names: { pick: "VisitIds", status: "Status" },
    run: (ask, { body }) => ask(setStatuses, { status: body.Status, pick: body.VisitIds.map(String) }),
  }),
  call("GET /Visits/callupstats", {
    summary: "Called-up referrals that have waited too long",
    scope: null,
    operation: readCallUps,
    answer: {
      schema: z.object({
        isShowAlert: z.boolean(),
        calledCount: z.int(),
        called2TimesCount: z.int(),
        failedCount: z.int(),
        statusActiveDays: z.int(),
      }),
    },
    run: (ask) => ask(readCallUps),
  }),
  call("GET /Visits/{id}/visitlog", {
    summary: "What happened to the referral, newest first",
    scope: null,
    operation: readVisitLog,
    params: { id },
    answer: { schema: z.array(logEntry) },
    run: async (ask, { params }) => (await ask(readVisitLog, { referralId: params.id })).entries,
  }),
  call("POST /Visits/{id}/notification/surgeon", {
    summary: "Send the present status to the referrer by mail",
    scope: null,
    operation: sendStatus,
    params: { id },
    run: (ask, { params }) => ask(sendStatus, { referralId: params.id }),
  }),
  call("GET /Pdf/Visit/{id}", {
    summary: "The referral as a PDF; regenerate is staff's",
    scope: "read",
    operation: downloadReferralPdf,
    params: { id, regenerate: z.boolean().optional() },
    answer: { file: "application/pdf" },
    run: (ask, { params }) =>
      ask(params.regenerate ? regenerateReferralPdf : downloadReferralPdf, { referralId: params.id }),
  }),
  call("GET /Visits/{id}/download/appropriation", {
    summary: "The approval's file",
    scope: "read",
    operation: downloadFileOfKind,
    params: { id },
    answer: { file: FILE },
    run: (ask, { params }) => ask(downloadFileOfKind, { referralId: params.id, kind: "approval" }),
  }),
  call("GET /Visits/{id}/download/journals/{jid}", {
    summary: "A journal file",
    scope: "read",
    operation: downloadFileOfKind,
    params: { id, jid: id },
    answer: { file: FILE },
    run: (ask, { params }) => ask(downloadFileOfKind, { referralId: params.id, kind: "journal", fileId: params.jid }),
  }),
];

type Change = Omit<z.output<typeof visitChange>, "visitId" | "status" | "isDeleteAttachments">;

/** Values as the expanded row's forms send them: text, checkbox `on`, CPR number in two boxes. */
function typedFields({ patientCpr, operationDate, price, ...fields }: Change): Record<string, string> {
  const own: Record<string, string> = {
    patientFirstName: "firstName",
    patientLastName: "lastName",
    patientAddress: "address",
    patientZip: "zip",
    patientCity: "city",
    patientPhone: "phone",
    patientMobilePhone: "mobilePhone",
    patientEmail: "email",
  };
  const asText = (value: unknown) => (value === null || value === false ? "" : value === true ? "on" : String(value));
  return {
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : [[own[name] ?? name, asText(value)]],
      ),
    ),
    ...(patientCpr === undefined ? {} : cprBoxes(patientCpr)),
    ...(operationDate === undefined ? {} : { operationDate: operationDate ? dayOf(operationDate) : "" }),
    ...(price === undefined ? {} : { price: price === null ? "" : price.toFixed(2).replace(".", ",") }),
  };
}

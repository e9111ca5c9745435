import { z } from "zod";
import type { CommandResult } from "~/access/caller";
import { exportByDates, exportPicked, readLastExport, downloadExport } from "~/features/exports/operations.server";
import { type Ask, call, id } from "../api-route.server";
import { dayOf, isoDay } from "./call-shapes.server";
import { IMPORT_STARTED, runEdiImport } from "~/features/edi/import-edi.server";

const CSV = "text/csv";
const exportType = z.int().min(4, "Kun eksporttype 4 findes.").max(4, "Kun eksporttype 4 findes.");

const fileOf = (ask: Ask, { to }: CommandResult) =>
  to === undefined ? undefined : ask(downloadExport, { e: new URLSearchParams(to.split("?")[1]).get("e") });

export const exportCalls = [
  call("GET /Visits/download/csv/bydates", {
    summary: "Patient data by date as CSV, at most a year; 204 when there is none",
    scope: null,
    operation: exportByDates,
    params: { StartDate: isoDay.optional(), EndDate: isoDay.optional(), ExportType: exportType.optional() },
    names: { dateFrom: "StartDate", dateTo: "EndDate" },
    answer: { file: CSV, orNothing: true },
    run: async (ask, { params }) =>
      fileOf(
        ask,
        await ask(exportByDates, {
          dateFrom: params.StartDate && dayOf(params.StartDate),
          dateTo: params.EndDate && dayOf(params.EndDate),
        }),
      ),
  }),
  call("POST /Visits/download/csv/byids", {
    summary: "Patient data of the chosen referrals as CSV; 204 when none of them is there",
    scope: null,
    operation: exportPicked,
    json: z.object({ ids: z.array(id).min(1) }),
    names: { pick: "ids" },
    answer: { file: CSV, orNothing: true },
    run: async (ask, { body }) => fileOf(ask, await ask(exportPicked, { pick: body.ids.map(String) })),
  }),
  call("GET /Visits/csv/settings", {
    summary: "When patient data were exported last",
    scope: null,
    operation: readLastExport,
    params: { type: exportType.optional() },
    answer: { schema: z.object({ dateTime: z.iso.datetime().nullable() }) },
    run: (ask) => ask(readLastExport),
  }),
];

export const ediCalls = [
  call("POST /Admin/run-import-edi-visits", {
    summary: "Import referrals that have come by EDI, in the background",
    scope: null,
    operation: runEdiImport,
    answer: { schema: z.object({ message: z.string() }) },
    async run(ask) {
      await ask(runEdiImport, {});
      return { message: IMPORT_STARTED };
    },
  }),
];

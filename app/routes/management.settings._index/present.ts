import type { readSettingsPage } from "./data.server";
import type { PageOf } from "~/http/runners/page.server";
import { importLogFilters } from "~/features/appointments/import-log-columns";
import { describeOutcome, importStatuses, NOT_FOUND } from "~/features/appointments/import-rules";
import { presentFilter } from "~/lists/present-filter";
import { showDateTime, showDay } from "~/text/dates";

type Values = PageOf<typeof readSettingsPage>;
export type ShownSettings = ReturnType<typeof presentSettings>;
export type ImportRow = ShownSettings["log"]["rows"][number];
export type TreatmentTypeRow = ShownSettings["treatmentTypes"][number];

export const presentSettings = ({ treatmentTypes, log, ...page }: Values) => ({
  ...page,
  treatmentTypes: treatmentTypes.map(({ id, name, settings }) => ({
    id,
    name,
    externalCodes: settings?.externalCodes ?? "",
    recommendationLink: settings?.recommendationLink ?? "",
    version: settings?.version ?? 0,
  })),
  log: { ...log, ...presentFilter(importLogFilters, log), sort: "", rows: log.rows.map(presentRow) },
});

const presentRow = ({ importedAt, cpr, date, time, status, note, ...row }: Values["log"]["rows"][number]) => ({
  ...row,
  importedAt: { iso: importedAt, text: showDateTime(importedAt) },
  cpr: cpr ?? "Ingen data...",
  at: date === null ? "Ingen data..." : `${showDay(date)}${time ? ` kl. ${time.replace(":", ".")}` : ""}`,
  state: importStatuses.find(({ value }) => value === status) ?? importStatuses[NOT_FOUND],
  outcome: describeOutcome(status, note),
});

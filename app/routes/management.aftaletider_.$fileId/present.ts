import type { SerializeFrom } from "@remix-run/node";
import { importStatuses, NOT_FOUND } from "~/features/appointments/import-rules";
import { showDateTime, showDay } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
export type ShownRow = ReturnType<typeof presentRow>;

/** An appointment file and its rows, in words. */
export const presentFile = ({ importedAt, counts, rows, ...file }: Values) => ({
  ...file,
  importedAt: importedAt && showDateTime(importedAt),
  counts: importStatuses.flatMap((state) => {
    const found = counts.find(({ status }) => status === state.value);
    return found ? [{ ...state, label: `${found.count} ${state.label.toLowerCase()}` }] : [];
  }),
  rows: rows.map(presentRow),
});

const presentRow = ({ cpr, date, time, status, ...row }: Values["rows"][number]) => ({
  ...row,
  cpr: cpr ?? "–",
  at: date === null ? "–" : `${showDay(date)}${time ? ` kl. ${time.replace(":", ".")}` : ""}`,
  state: importStatuses.find(({ value }) => value === status) ?? importStatuses[NOT_FOUND],
});

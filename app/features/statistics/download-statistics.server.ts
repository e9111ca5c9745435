import { Readable } from "node:stream";
import { z } from "zod";
import { read } from "~/access/operation.server";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import { localDate, showDay } from "~/text/dates";
import { spreadsheetLines } from "~/text/spreadsheet-lines.server";
import { days, periodOf } from "./operations.server";
import { tableNames, plotTables } from "./plot-tables";
import { EVERYTHING, listOperations, rankReferrers, readPlots } from "./read-statistics.server";
import type { Period } from "./period";

type Cells = (string | number | null)[];

/** UTF-16LE with a byte order mark, tabs, CRLF; cells that a spreadsheet would run get an apostrophe. */
function csvFile(name: string, { from, to }: Period, rows: Cells[]) {
  return {
    fileName: `${name}-${from}-${to}.csv`,
    mime: "text/csv; charset=utf-16le",
    disposition: "attachment" as const,
    open: () => Readable.from([Buffer.from(`\ufeff${spreadsheetLines(rows)}`, "utf16le")]),
  };
}

/** 'Export til CSV' of treatments (GET /Statistics/operations/csv). Days are Copenhagen dates, both included. */
export const downloadOperationStatistics = read({
  name: "downloadOperationStatistics",
  permission: "statistics.read",
  input: days,
  async run({ db, now }, input) {
    const period = periodOf(input, now);
    const { rows } = await listOperations(db, period, EVERYTHING);
    return csvFile("statistik-behandlinger", period, [
      ["Placering", "Behandlingstype", "Antal behandlinger", "Henviser", "Klinik", "Sidste behandlingsdato"],
      ...rows.map((row) => [row.place, row.treatmentType, row.count, row.referrer, row.clinic, showDay(row.lastDay)]),
    ]);
  },
});

/** 'Export til CSV' of referrers (GET /Statistics/doctors/csv), one column per treatment type. */
export const downloadDoctorStatistics = read({
  name: "downloadDoctorStatistics",
  permission: "statistics.read",
  input: days,
  async run({ db, now }, input) {
    const period = periodOf(input, now);
    const { rows, types } = await rankReferrers(db, period, EVERYTHING);
    return csvFile("statistik-henvisere", period, [
      [
        "Placering",
        "Henviser",
        "Klinik",
        "Antal henvisninger",
        "Sidste henvisningsdato",
        ...types.map(({ name }) => name),
      ],
      ...rows.map((row) => [
        row.place,
        row.referrer,
        row.clinics.join(", "),
        row.count,
        showDay(row.lastDay),
        ...row.countsByType,
      ]),
    ]);
  },
});

/** The table of a plot as CSV. Days are Copenhagen dates, both included; open referrals are counted as of today. */
export const downloadPlot = read({
  name: "downloadPlot",
  permission: "statistics.read",
  input: days.and(z.object({ plot: z.enum(tableNames) })),
  async run({ db, portal, now }, { plot, ...input }) {
    const period = periodOf(input, now);
    const tables = plotTables(await readPlots(db, period, localDate(now)), await readStatusSettings(portal.db));
    return csvFile(`statistik-${plot}`, period, [tables[plot].heads, ...tables[plot].rows]);
  },
});

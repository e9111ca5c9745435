import { z } from "zod";
import { Readable } from "node:stream";
import { lookUp, read, wholeNumber } from "~/access/operation.server";
import { serverPaths } from "~/paths";
import { localDate, showDay } from "~/text/dates";
import { optionalDay } from "~/text/fields.server";
import { lastTwelveMonths, type Period, twelveMonthsFrom, WRONG_ORDER } from "./period";
import { readMissingMaterial, readSilentWeeks } from "./never-silent.server";
import { EVERYTHING, listOperations, rankReferrers, readPlots } from "./read-statistics.server";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import { spreadsheetLines } from "~/text/spreadsheet-lines.server";
import { tableNames, plotTables } from "./plot-tables";

const days = z.object({ dateFrom: optionalDay, dateTo: optionalDay }).superRefine(({ dateFrom, dateTo }, context) => {
  if (dateFrom !== null && dateTo !== null && dateFrom > dateTo)
    context.addIssue({ code: "custom", path: ["dateFrom"], message: WRONG_ORDER });
});

/** The requested period. A missing end defaults to the last twelve months, or twelve months from the other end. */
export function periodOf({ dateFrom, dateTo }: z.output<typeof days>, now: Date): Period {
  const standard = lastTwelveMonths(localDate(now));
  const to = dateTo ?? (dateFrom !== null && dateFrom > standard.to ? twelveMonthsFrom(dateFrom) : standard.to);
  const from = dateFrom ?? (to < standard.from ? lastTwelveMonths(to).from : standard.from);
  return { from, to };
}

/**
 * All treatments that were not cancelled, by type, referrer and clinic, most frequent first (GET
 * /Statistics/operations). Days are Copenhagen dates, both included; the default is the last twelve months. A name is
 * null where nobody is known.
 */
export const listOperationStatistics = read({
  name: "listOperationStatistics",
  permission: "statistics.read",
  input: days,
  async run({ db, now }, input) {
    return { rows: (await listOperations(db, periodOf(input, now), EVERYTHING)).rows };
  },
});

/** Referrers by number of referrals (GET /Statistics/doctors), with counts per treatment type. */
export const listDoctorStatistics = read({
  name: "listDoctorStatistics",
  permission: "statistics.read",
  input: days,
  async run({ db, now }, input) {
    const { rows, types } = await rankReferrers(db, periodOf(input, now), EVERYTHING);
    return { rows, types };
  },
});

/** Silent referrals by week (GET /next/Statistics/silent). */
export const listSilentWeeks = read({
  name: "listSilentWeeks",
  permission: "statistics.read",
  input: days,
  run: ({ db, now }, input) => readSilentWeeks(db, periodOf(input, now), localDate(now)),
});

/** Missing material by clinic and item (GET /next/Statistics/material). */
export const listMissingMaterial = read({
  name: "listMissingMaterial",
  permission: "statistics.read",
  input: days,
  run: ({ db, now }, input) => readMissingMaterial(db, periodOf(input, now)),
});

/** 'Export til CSV': redirects to the file of the list shown. A missing day is that of the period shown. */
export const exportStatistics = lookUp({
  name: "exportStatistics",
  permission: "statistics.read",
  input: z
    .object({
      dateFrom: optionalDay,
      dateTo: optionalDay,
      dataType: wholeNumber.min(0).max(1).catch(0),
      shownFrom: z.iso.date().nullable().catch(null),
      shownTo: z.iso.date().nullable().catch(null),
    })
    .transform(({ dateFrom, dateTo, dataType, shownFrom, shownTo }, context) => {
      const asked = { dateFrom: dateFrom ?? shownFrom, dateTo: dateTo ?? shownTo };
      if (asked.dateFrom !== null && asked.dateTo !== null && asked.dateFrom > asked.dateTo)
        context.addIssue({ code: "custom", path: [dateFrom === null ? "dateTo" : "dateFrom"], message: WRONG_ORDER });
      return { ...asked, dataType };
    }),
  async run({ now }, { dataType, ...asked }) {
    const { from, to } = periodOf(asked, now);
    return { to: serverPaths.statisticsList(dataType, from, to) };
  },
});

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

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { addDays } from "~/text/calendar";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { piecesOf, readPeriod, startsOf } from "./period";
import {
  downloadDoctorStatistics,
  downloadPlot,
  exportStatistics,
  listOperationStatistics,
  periodOf,
} from "./operations.server";
import { daysAt } from "./usual-wait.server";
import { plotTables } from "./plot-tables";
import { readStatistics } from "./read-statistics.server";

describe("a period", () => {
  test("is its whole months, and thirds and days at its ends, each day once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 800 }), (firstDay, length) => {
        const from = addDays("2025-01-01", firstDay);
        const to = addDays(from, length);
        const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, at) => addDays(first, at));
        const pieces = piecesOf({ from, to });
        // The days whose sums are read: starts of spans within each piece.
        const read = pieces.map(({ grain, from: first, to: last }) =>
          daysFrom(addDays(from, -40), length + 80).filter((day) => {
            const { start } = startsOf(day).find((span) => span.grain === grain)!;
            return start >= first && start <= last;
          }),
        );
        expect(read.flat()).toEqual(daysFrom(from, length + 1));
        expect(read.filter((_, index) => pieces[index]!.grain === "D").flat().length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 60 },
    );
  });

  test("an unreadable period reports why, and the default period is used", () => {
    const standard = { from: "2026-01-01", to: "2026-12-31" };
    expect(readPeriod({ from: "x", to: "" }, standard)).toEqual({
      period: standard,
      errors: { from: "Skriv en dato som dd.mm.åååå." },
    });
    expect(readPeriod({ from: "02.02.2026", to: "01.02.2026" }, standard).errors.from).toMatch(/^Fra-datoen/);
    expect(readPeriod({ from: "1/2-26", to: "" }, standard).period).toEqual({ from: "2026-02-01", to: "2026-12-31" });
  });

  test("of the API: a missing end lies twelve months from the given one", () => {
    const now = new Date("2026-11-25T09:00:00.000Z");
    const period = (dateFrom: string | null, dateTo: string | null) => periodOf({ dateFrom, dateTo }, now);
    expect(period("2027-01-10", null)).toEqual({ from: "2027-01-10", to: "2028-01-09" });
    expect(period(null, "2020-01-10")).toEqual({ from: "2019-01-11", to: "2020-01-10" });
    expect(period(null, null)).toEqual({ from: "2025-11-26", to: "2026-11-25" });
  });

  test("of an export: a day on the wrong side of the period is refused", () => {
    const shown = { shownFrom: "2026-10-01", shownTo: "2026-10-31", dataType: "0" };
    const refused = (typed: object) =>
      exportStatistics.input
        .safeParse({ ...shown, ...typed })
        .error?.issues.map(({ path, message }) => [...path, message]);
    const text = "Fra-datoen kan ikke være efter til-datoen.";
    expect(refused({ dateFrom: "01.11.2026" })).toEqual([["dateFrom", text]]);
    expect(refused({ dateTo: "01.09.2026" })).toEqual([["dateTo", text]]);
    expect(refused({ dateFrom: "02.11.2026", dateTo: "01.11.2026" })).toEqual([["dateFrom", text]]);
    expect(exportStatistics.input.parse({ ...shown, dateFrom: "05.10.2026" })).toEqual({
      dateFrom: "2026-10-05",
      dateTo: "2026-10-31",
      dataType: 0,
    });
  });

  test("the median and the 90th percentile of waiting days", () => {
    const waited = new Map([
      [1, 5],
      [3, 4],
      [30, 1],
    ]);
    expect([daysAt(waited, 0.5), daysAt(waited, 0.9), daysAt(waited, 1), daysAt(new Map(), 0.5)]).toEqual([
      1,
      3,
      30,
      null,
    ]);
  });
});

forEachDatabase("the page of statistics", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentists: Person[];

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    const clinic = await aClinic(portal, "Tandhuset");
    dentists = [
      await aPerson(portal, { role: "Dentist", clinicIds: [clinic] }),
      await aPerson(portal, { role: "Dentist", clinicIds: [clinic] }),
    ];
    await portal.db
      .insertInto("treatmentType")
      .values({
        name: "Implantat",
        nameSort: "implantat",
        externalAppointmentIds: "",
        patientRecommendationLink: null,
        deletedAt: null,
      })
      .execute();
  });
  afterAll(() => portal.close());

  test("lists, plots and files agree on the same referrals", async () => {
    const { id: type } = await portal.db
      .selectFrom("treatmentType")
      .select("id")
      .where("name", "=", "Implantat")
      .executeTakeFirstOrThrow();
    const version = async (referralId: number) =>
      (await portal.db.selectFrom("referral").select("version").where("id", "=", referralId).executeTakeFirstOrThrow())
        .version;
    portal.clock.set("2026-10-05T09:00:00.000Z");
    const ids = [];
    for (const dentist of [dentists[0]!, dentists[0]!, dentists[1]!])
      ids.push(await aReferral(portal, dentist, { referenceType: ids.length === 0 ? "1" : "0" }));
    portal.clock.set("2026-10-09T09:00:00.000Z");
    for (const referralId of ids) await portal.as(admin, setStatus, { referralId, status: 2, seenVersion: 2 });
    await portal.as(admin, editPlan, {
      referralId: ids[0]!,
      seenVersion: await version(ids[0]!),
      operationDate: "20-11-2026",
      treatmentType: type,
    });
    portal.clock.set("2026-11-25T09:00:00.000Z");

    const page = await portal.as(admin, readStatistics, { page: 1, dataType: 0 });
    expect(page.period).toEqual({ from: "2025-11-26", to: "2026-11-25" });
    expect(page.list.rows).toEqual([
      {
        place: 1,
        treatmentType: "Implantat",
        count: 1,
        referrer: `Åse Kjær ${dentists[0]!.userName}`,
        clinic: "Tandhuset",
        lastDay: "2026-11-20",
      },
    ]);
    expect([page.types, page.total, page.openType]).toEqual([[{ id: type, n: 1, name: "Implantat" }], 1, null]);
    const opened = await portal.as(admin, readStatistics, { page: 1, dataType: 0, openId: type });
    expect(opened.openType).toEqual({ groupCount: 1, rows: page.list.rows });
    expect((await portal.as(admin, listOperationStatistics, { dateTo: "2026-11-19" })).rows).toEqual([]);
    const beyond = await portal.as(admin, readStatistics, { page: 9, dataType: 0 });
    expect([beyond.page, beyond.pageCount, beyond.list]).toEqual([1, 1, page.list]);
    const doctors = await portal.as(admin, readStatistics, { page: 1, dataType: 1 });
    expect(doctors.list.rows.map((row) => [row.count, row.lastDay])).toEqual([
      [2, "2026-10-05"],
      [1, "2026-10-05"],
    ]);
    expect(page.plots.waits.all).toMatchObject({
      toTriage: { median: 4, ninetiethPercentile: 4 },
      toCallUp: { median: null },
      toOperation: { median: 46 },
    });
    expect(page.plots.open).toEqual([{ status: 2, under7: 0, to30: 0, over30: 3 }]);

    const cells = async (file: { open(): unknown }) => {
      const chunks: Buffer[] = [];
      for await (const chunk of file.open() as AsyncIterable<Buffer>) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf16le");
      expect(text.startsWith("\ufeff")).toBe(true);
      return text
        .slice(1)
        .trimEnd()
        .split("\r\n")
        .map((line) => line.split("\t"));
    };
    const tables = plotTables(page.plots, page);
    for (const [plot, { heads, rows }] of Object.entries(tables))
      expect(await cells(await portal.as(admin, downloadPlot, { plot }))).toEqual([
        heads,
        ...rows.map((row) => row.map((cell) => String(cell ?? ""))),
      ]);
    expect(tables.henvisninger.rows.at(-2)).toEqual(["oktober 2026", 2, 1]);
    const [heads, first] = await cells(await portal.as(admin, downloadDoctorStatistics, {}));
    expect(Object.fromEntries(heads!.map((head, index) => [head, first![index]]))).toMatchObject({
      Placering: "1",
      Klinik: "Tandhuset",
      "Antal henvisninger": "2",
      "Sidste henvisningsdato": "05.10.2026",
      Implantat: "1",
    });

    portal.pageViews.count("readStatistics", admin, "https://portal.example/management/overview/3?f=x");
    portal.pageViews.count("readStatistics", admin);
    portal.pageViews.count("readStatistics", admin, "https://portal.example/management/statistics?type=1");
    await portal.pageViews.flush();
    portal.pageViews.count("readStatistics", admin);
    await portal.pageViews.flush();
    expect((await portal.as(admin, readStatistics, { page: 1 })).pageViews).toEqual([
      { page: "management/statistics", role: "Admin", n: 3 },
    ]);
  });
});

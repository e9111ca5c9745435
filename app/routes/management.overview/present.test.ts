import { expect, test } from "vitest";
import type { OverviewList } from "~/components/overview-list/overview-list";
import { presentOverview } from "./present";

const row: OverviewList["rows"][number] = {
  id: 7,
  version: 1,
  statusVersion: 1,
  cpr: "010180-1234",
  firstName: "Åse",
  lastName: "Øst",
  age: 46,
  createdAt: "2026-12-01T23:30:00.000Z",
  status: 0,
  referenceType: 1,
  ediId: null,
  hasRadiographs: true,
  hasNewMessage: false,
};
const list: OverviewList = {
  maySetStatus: true,
  seesInternal: true,
  wasReset: false,
  isAtEnd: false,
  total: 1,
  isMore: false,
  page: 1,
  pageCount: 1,
  start: null,
  end: null,
  sort: "-5",
  f: null,
  status16Label: "Hos overlægen",
  choices: null,
  filter: {},
  statuses: [],
  otherStatuses: null,
  active: [],
  queues: [],
  failures: 0,
  setUpMissing: 0,
  callUps: null,
  massChange: null,
  awaiting: { urgent: [], hasMore: false, drafts: [] },
  rows: [row],
};
const oneRow = (change: Partial<typeof row>) => presentOverview({ ...list, rows: [{ ...row, ...change }] }).rows[0]!;

test("a row's name, its Danish date and its marks", () => {
  expect(oneRow({})).toMatchObject({
    name: "Åse Øst",
    cpr: "010180-1234",
    date: "02.12.2026",
    isUrgent: true,
    missesDentistId: false,
  });
  expect(oneRow({ cpr: null, referenceType: 0 })).toMatchObject({ cpr: "–", isUrgent: false });
});

test("a missing dentist id is marked for staff only", () => {
  expect(oneRow({ externalDoctorId: null }).missesDentistId).toBe(true);
  expect(oneRow({ externalDoctorId: "T-1" }).missesDentistId).toBe(false);
  expect(oneRow({}).missesDentistId).toBe(false);
});

test("queues, call-ups and a mass change are named", () => {
  const queue = { count: 2, oldestDays: null, f: "f", sort: "8" };
  const shown = presentOverview({
    ...list,
    queues: [
      { ...queue, kind: "awaitingTriage" },
      { ...queue, kind: "newMessages" },
      { ...queue, kind: "newMessages", count: 1 },
      { ...queue, kind: "untriagedUrgent" },
    ],
    callUps: { days: 14, counts: [{ kind: "calledTwice", count: 1, f: "f" }] },
    massChange: { id: 1, changed: 1, status: 16, leftOut: [], unseen: [], isUndone: false },
  });
  expect(shown.queues.map(({ label }) => label)).toEqual([
    "afventer visitering",
    "nye beskeder",
    "ny besked",
    "hastehenvisninger venter",
  ]);
  expect(shown.callUps?.counts[0]?.label).toBe("indkaldt 2 gange");
  expect(shown.massChange?.statusLabel).toBe("Hos overlægen");
});

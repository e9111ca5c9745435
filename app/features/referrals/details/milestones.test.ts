import { expect, test } from "vitest";
import { milestonesOf } from "./describe-referral";

const RECEIVED = { label: "Modtaget", at: "2026-10-06T08:00:00.000Z" };

const course = {
  createdAt: RECEIVED.at,
  status: 0,
  statusSince: null,
  today: "2026-11-18",
  plan: { date: null, hour: null, minute: null },
  sections: { callUps: [] },
};

test("a new referral has been received", () => {
  expect(milestonesOf(course)).toEqual([RECEIVED]);
});

test("a closed one has its milestones; the last call-up that arrived counts", () => {
  const callUps = [
    { status: 3, sentAt: "2026-11-02T08:00:00.000Z" },
    { status: 3, sentAt: "2026-11-07T08:00:00.000Z" },
    { status: 2, sentAt: "2026-11-09T08:00:00.000Z" },
    { status: 1, sentAt: null },
  ];
  expect(
    milestonesOf({
      ...course,
      status: 7,
      statusSince: "2026-11-18T12:00:00.000Z",
      plan: { date: "2026-11-17", hour: 9, minute: 0 },
      sections: { callUps },
    }),
  ).toEqual([
    RECEIVED,
    { label: "Indkaldt", at: "2026-11-07T08:00:00.000Z" },
    { label: "Behandling", at: "2026-11-17", time: "kl. 09.00" },
    { label: "Afsluttet", at: "2026-11-18T12:00:00.000Z" },
  ]);
});

test("the present status is last, the time that the patient cancelled is left out", () => {
  const cancelled = milestonesOf({
    ...course,
    status: 13,
    statusSince: "2026-11-10T08:00:00.000Z",
    plan: { date: "2026-11-17", hour: null, minute: null },
    sections: { callUps: [{ status: 3, sentAt: "2026-11-07T08:00:00.000Z" }] },
  });
  expect(cancelled.map(({ label }) => label)).toEqual(["Modtaget", "Indkaldt", "Afbud"]);
});

test("a planned day is no event yet, a status of unknown age has no date", () => {
  const plan = { date: "2026-11-19", hour: null, minute: null };
  expect(milestonesOf({ ...course, status: 6, plan })).toEqual([RECEIVED, { label: "I behandling", at: null }]);
});

test("a call-up is named once, by the status of the same name", () => {
  const calledUp = { status: 5, statusSince: "2026-11-07T08:00:00.000Z" };
  const callUps = [{ status: 3, sentAt: "2026-11-07T08:00:00.000Z" }];
  expect(milestonesOf({ ...course, ...calledUp, sections: { callUps } })).toEqual([
    RECEIVED,
    { label: "Indkaldt", at: calledUp.statusSince },
  ]);
});

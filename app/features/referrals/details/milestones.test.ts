import { expect, test } from "vitest";
import { milestonesOf } from "./describe-referral";

const course = {
  createdAt: "2026-10-06T08:00:00.000Z",
  status: 2,
  statusSince: null,
  plan: { date: null, hour: null, minute: null },
  sections: { callUps: [] },
};

test("a new referral has been received", () => {
  expect(milestonesOf(course)).toEqual([{ label: "Modtaget", at: "2026-10-06T08:00:00.000Z" }]);
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
    { label: "Modtaget", at: "2026-10-06T08:00:00.000Z" },
    { label: "Indkaldt", at: "2026-11-07T08:00:00.000Z" },
    { label: "Behandling", at: "2026-11-17", time: "kl. 09.00" },
    { label: "Afsluttet", at: "2026-11-18T12:00:00.000Z" },
  ]);
});

test("a day without an hour is a day, and another status than closed is no milestone", () => {
  const plan = { date: "2026-11-17", hour: null, minute: null };
  expect(milestonesOf({ ...course, statusSince: "2026-11-01T08:00:00.000Z", plan })).toEqual([
    { label: "Modtaget", at: "2026-10-06T08:00:00.000Z" },
    { label: "Behandling", at: "2026-11-17" },
  ]);
});

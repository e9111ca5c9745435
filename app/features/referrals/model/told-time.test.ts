import { expect, test } from "vitest";
import type { ToldTime } from "./told-time";
import { toTellText } from "./told-time";
import { tellUntil } from "./told-time.server";

const NOW = new Date("2026-11-30T09:00:00.000Z");
const row = {
  operationDate: "2026-12-02",
  operationHour: 8,
  operationMinute: 15,
  cancellationDate: null,
  sentAt: "2026-11-01T09:00:00.000Z",
  deletedAt: null,
  isTest: false,
  tellUntil: null,
};
const noTime = { operationDate: null, operationHour: null, operationMinute: null };
const at = "2026-11-28T09:00:00.000Z";
const told = (moment: string | null, how: ToldTime["how"] = "eboks"): ToldTime => ({ moment, how, at });
const PLANNED = "2026-12-02 08:15";
const EARLIER = "2026-12-01 07:30";
const OVER = "2026-11-20 10:00";

test.each<[string, Partial<Parameters<typeof tellUntil>[0]>, ToldTime | undefined, string | null]>([
  ["nothing is known of what was told", {}, undefined, null],
  ["the planned time was told", {}, told(PLANNED), null],
  ["another time was told", {}, told(EARLIER), "2026-12-02"],
  ["the told time has no successor", noTime, told(EARLIER), "2026-12-01"],
  ["the told time is cancelled", { cancellationDate: at }, told(PLANNED), "2026-12-02"],
  ["the patient has cancelled, and has a new time", {}, told(null, "cancelled"), "2026-12-02"],
  ["the patient has cancelled the planned time", { cancellationDate: at }, told(null, "cancelled"), null],
  ["the patient has a time by phone that was entered later", {}, told(null, "phone"), null],
  ["the told time is over, and another follows", {}, told(OVER), null],
  ["the told time is over, and another was to be told", { tellUntil: "2026-12-01" }, told(OVER), "2026-12-02"],
  ["both begin within two hours", { operationDate: "2026-11-30", operationHour: 11 }, told("2026-11-30 10:30"), null],
  ["the told time is after the planned one", { operationDate: "2026-11-30" }, told(EARLIER), "2026-12-01"],
  ["it is a test referral", { isTest: true }, told(EARLIER), null],
  ["it is deleted", { deletedAt: at }, told(EARLIER), null],
])("a patient is to be told by the day: %s", (_case, changes, known, expected) => {
  expect(tellUntil({ ...row, ...changes }, known, NOW)).toBe(expected);
});

test.each([
  [told(EARLIER), PLANNED, "at tiden er 01.12.2026 kl. 07.30 (e-Boks 28.11.2026). Nu er tiden 02.12.2026 kl. 08.15."],
  [told(EARLIER, "print"), null, "at tiden er 01.12.2026 kl. 07.30 (brev 28.11.2026). Nu er der ingen tid."],
  [told(null, "cancelled"), PLANNED, "Patienten har meldt afbud. Nu er tiden 02.12.2026 kl. 08.15."],
])("the open referral says what was told and what is planned", (known, planned, expected) => {
  expect(toTellText(known, planned).replaceAll("\u00a0", " ")).toContain(expected);
});

import { expect, test } from "vitest";
import type { OverviewFilter } from "./filter-sql.server";
import { readPublicFilter, writePublicFilter } from "./overview-list.server";

test.each<[string, OverviewFilter]>([
  ["s0-16", { statuses: [0, 16] }],
  ["s0-16m", { statuses: [0, 16], newMessages: true }],
  ["s0u", { statuses: [0], onlyUrgent: true }],
  ["s6e", { statuses: [6], mine: true }],
  ["s0n2026-11-07", { statuses: [0], notHeldOn: "2026-11-07" }],
  ["v2026-11-07", { heldAfter: "2026-11-07" }],
  ["s5w2026-11-07", { statuses: [5], inStatusSince: "2026-11-07" }],
  ["s", { statuses: [] }],
])("%s says what is asked for, and reads as it was written", (text, filter) => {
  expect(writePublicFilter(filter)).toBe(text);
  expect(readPublicFilter(text)).toEqual({
    ...filter,
    ...(filter.statuses && { statuses: filter.statuses.map(String) }),
  });
});

test("a filter about a person stands in no address, nor does an empty one", () => {
  expect(writePublicFilter({ statuses: [0], cpr: "010203" })).toBeNull();
  expect(writePublicFilter({ statuses: [0], patientName: "Jensen" })).toBeNull();
  expect(writePublicFilter({ patientName: undefined } as OverviewFilter)).toBeNull();
  expect(writePublicFilter({})).toBeNull();
});

test.each(["", "x1", "s0-16x", "S0", "s0 m", "s0\n", "mZ4k_", "0-16"])("'%s' is no such filter", (text) => {
  expect(readPublicFilter(text)).toBeNull();
});

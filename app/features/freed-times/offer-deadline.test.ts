import { describe, expect, test } from "vitest";
import { offerDeadline } from "./offer-time.server";

describe("the deadline of an offer", () => {
  test.each([
    ["three hours on, at the full hour", "2026-12-10T09:15:00Z", "2026-12-01T08:20:00Z", "2026-12-01T12:00:00.000Z"],
    [
      "of an evening until ten the next day",
      "2026-12-10T09:15:00Z",
      "2026-12-01T17:00:00Z",
      "2026-12-02T09:00:00.000Z",
    ],
    ["not later than an hour before", "2026-12-01T10:00:00Z", "2026-12-01T08:00:00Z", "2026-12-01T09:00:00.000Z"],
    ["too late", "2026-12-01T09:15:00Z", "2026-12-01T08:00:00Z", undefined],
  ])("%s", (_, start, now, deadline) => {
    expect(offerDeadline(new Date(start), new Date(now))?.toISOString()).toBe(deadline);
  });
});

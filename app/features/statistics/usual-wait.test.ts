import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { addToSums } from "./sums/store.server";
import { readUsualWaits } from "./usual-wait.server";

forEachDatabase("the usual wait", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());
  beforeEach(() => portal.cache.invalidate(""));

  /** Waits of a number of days that ended some days ago, as rows of the sums. */
  const waited = async (
    urgency: number,
    days: number,
    n: number,
    endedDaysAgo: number,
    measure: "toTriage" | "toOperation" = "toOperation",
  ) => {
    const day = addDays(localDate(portal.clock.now()), -endedDaysAgo);
    const bucket = `${urgency}:${days}`;
    const entry = { measure, day, bucket, referrerId: 0, clinicId: 0, treatmentTypeId: 0 } as const;
    await inTransaction(portal.db, (tx) => addToSums(tx, [{ entry, by: n }]));
  };

  test("is shown by urgency, from twenty waits of the last ninety days", async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await waited(0, 40, 15, 5);
    await waited(0, 80, 4, 70);
    await waited(1, 6, 19, 5);
    // Outside the 90 days that count.
    await waited(0, 400, 30, 91);
    await waited(1, 400, 30, 200);
    expect(await readUsualWaits(portal, portal.clock.now())).toEqual([]);
    portal.cache.invalidate("");
    await waited(0, 90, 1, 0);
    await waited(1, 12, 2, 89);
    expect(await readUsualWaits(portal, portal.clock.now())).toEqual([
      { urgency: 0, median: 40, ninetiethPercentile: 80 },
      { urgency: 1, median: 6, ninetiethPercentile: 6 },
    ]);
    await waited(0, 2, 20, 1, "toTriage");
    expect(await readUsualWaits(portal, portal.clock.now(), "toTriage")).toEqual([
      { urgency: 0, median: 2, ninetiethPercentile: 2 },
    ]);
  });
});

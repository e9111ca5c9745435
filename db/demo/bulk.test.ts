import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sealedCpr } from "~/access/sealed-column.server";
import { countStatistics } from "../../tests/support/count-statistics";
import { readRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { makeBulkDemoData } from "./bulk.server";

forEachDatabase("bulk data", (dialect) => {
  let portal: TestPortal;
  beforeEach(async () => {
    portal = await createTestPortal(dialect);
  });
  afterEach(() => portal.close());

  const indexes = async () =>
    dialect === "mariadb"
      ? sql`select table_name, index_name, column_name from information_schema.statistics where table_schema = database() order by 1, 2, seq_in_index`.execute(
          portal.db,
        )
      : sql`select name, sql from sqlite_master where type = 'index' order by 1`.execute(portal.db);
  const sums = async () => {
    const rows = await portal.db.selectFrom("statistics_sum").selectAll().where("n", "!=", 0).execute();
    return Object.fromEntries(
      rows.map(({ n, ...key }) => {
        const { measure, grain, start, bucket } = key;
        return [[measure, grain, start, bucket, key.referrer_id, key.clinic_id, key.treatment_type_id].join("|"), n];
      }),
    );
  };

  test("is whole, counted, leaves every index, and can be added to", async () => {
    const before = (await indexes()).rows;
    await makeBulkDemoData(portal, ["--referrals", "60", "--users", "3"]);
    expect((await indexes()).rows).toEqual(before);
    await makeBulkDemoData(portal, ["--referrals", "20"]);
    expect((await indexes()).rows).toEqual(before);
    expect(await sums()).toEqual(await countStatistics(portal.db));
    expect((await portal.as({ kind: "system", job: "test" }, readRecount, {})).isGoingOn).toBe(false);

    const referrals = await portal.db
      .selectFrom("referral")
      .select(["id", "create_date", "cpr6", "row_key", "cpr_encrypted"])
      .orderBy("id")
      .execute();
    expect(referrals.map(({ id }) => id)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    const dates = referrals.slice(0, 60).map((row) => row.create_date);
    expect(dates).toEqual(dates.toSorted());
    for (const row of referrals) expect(sealedCpr.open(portal.secrets, row)?.slice(0, 6)).toBe(row.cpr6);
    const opened = await portal.db
      .selectFrom("audit_referral")
      .innerJoin("audit_event", "audit_event.id", "audit_referral.audit_event_id")
      .select("audit_referral.referral_id")
      .orderBy("referral_id")
      .execute();
    expect(opened.map((row) => row.referral_id)).toEqual(referrals.map(({ id }) => id));
  });
});

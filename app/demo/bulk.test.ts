import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isWeekend, parseISO } from "date-fns";
import { sealedCpr } from "~/access/sealed-column.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { isWorkday } from "~/text/copenhagen.server";
import { localDate, localHour } from "~/text/dates";
import { countStatistics } from "../../tests/support/count-statistics";
import { readRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { makeBulkDemoData } from "./bulk.server";
import { isAcute } from "./content/clinical-texts.server";

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
    const rows = await portal.db.selectFrom("statisticsSum").selectAll().where("n", "!=", 0).execute();
    return Object.fromEntries(
      rows.map(({ n, ...key }) => {
        const { measure, grain, start, bucket } = key;
        return [[measure, grain, start, bucket, key.referrerId, key.clinicId, key.treatmentTypeId].join("|"), n];
      }),
    );
  };

  test("keeps office hours, speaks the portal's words, and has few urgent waiting", async () => {
    await makeBulkDemoData(portal, ["--referrals", "1200"]);
    const rows = await portal.db
      .selectFrom("referral")
      .select(["status", "createDate", "operationDate", "referenceType", "diagnose", "desiredTreatment", "comment"])
      .execute();
    const isOfficeTime = (moment: string) => {
      const hour = localHour(new Date(moment));
      return isWorkday(new Date(moment)) && hour >= 7 && hour < 16;
    };
    expect(rows.filter((row) => !isOfficeTime(row.createDate))).toEqual([]);
    const operations = rows.flatMap((row) => row.operationDate ?? []);
    expect(operations.filter((day) => isWeekend(parseISO(day)))).toEqual([]);
    expect(rows.filter((row) => row.status === 7 && row.operationDate! > localDate(portal.clock.now()))).toEqual([]);
    const isUrgent = (row: (typeof rows)[number]) =>
      isAcute({ diagnose: row.diagnose!, desiredTreatment: row.desiredTreatment!, comment: row.comment! });
    expect(rows.filter((row) => isUrgent(row) !== (row.referenceType === 1))).toEqual([]);
    const waiting = rows.filter((row) => row.status === 0 && row.referenceType === 1);
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThan(20);

    const messages = await portal.db.selectFrom("outbox").selectAll().execute();
    expect(messages.filter(({ sentAt }) => !isOfficeTime(sentAt!))).toEqual([]);
    for (const message of messages.slice(0, 20))
      expect(unsealMessage(portal.secrets, message).content).toMatch(
        /Kære .*\. Du har en tid hos klinikken \d\d\.\d\d\./,
      );
    const lines = await portal.db.selectFrom("visitLog").select("at").execute();
    expect(lines.filter(({ at }) => !isOfficeTime(at) || new Date(at) > portal.clock.now())).toEqual([]);
  });

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
      .select(["id", "createDate", "cpr6", "rowKey", "cprEncrypted"])
      .orderBy("id")
      .execute();
    expect(referrals.map(({ id }) => id)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    const dates = referrals.slice(0, 60).map((row) => row.createDate);
    expect(dates).toEqual(dates.toSorted());
    for (const row of referrals) expect(sealedCpr.open(portal.secrets, row)?.slice(0, 6)).toBe(row.cpr6);
    const opened = await portal.db
      .selectFrom("auditReferral")
      .innerJoin("auditEvent", "auditEvent.id", "auditReferral.auditEventId")
      .select("auditReferral.referralId")
      .orderBy("referralId")
      .execute();
    expect(opened.map((row) => row.referralId)).toEqual(referrals.map(({ id }) => id));
  });
});

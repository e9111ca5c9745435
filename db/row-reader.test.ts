import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aPerson } from "../tests/factories/people";
import { aReferral } from "../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { openDatabase } from "./connection.server";
import { codeName, databaseName, flagNames } from "./names.server";
import { tables } from "./tables";

forEachDatabase("rows", (dialect) => {
  let portal: TestPortal;
  let referralId: number;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    referralId = await aReferral(portal, await aPerson(portal, { role: "Dentist" }), { firstName: "Åse" });
  });
  afterAll(() => portal.close());

  test("tables and columns have one name in code and one in the database", async () => {
    const found = (await portal.db.introspection.getTables()).filter(({ name }) => !name.startsWith("sqlite_"));
    const names = found.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
    expect(names.length).toBeGreaterThan(800);
    for (const name of names) expect(databaseName(codeName(name))).toBe(name);
    for (const name of names) expect(codeName(name)).not.toContain("_");
    const others = Object.values(tables).flatMap(({ columns }) =>
      Object.entries(columns).flatMap(([name, type]) => (type.startsWith("flag") ? [] : codeName(name))),
    );
    expect(flagNames.size).toBeGreaterThan(30);
    expect(others.filter((name) => flagNames.has(name))).toEqual([]);
    expect([codeName("police_claim"), databaseName("policeClaim")]).toEqual(["policeClaim", "police_claim"]);
    expect([codeName("access_granted"), databaseName("accessGranted")]).toEqual(["access_granted", "accessGranted"]);
  });

  test("have the names of the code, also in a stream and in raw SQL", async () => {
    const query = portal.db
      .selectFrom("referral")
      .selectAll()
      .select("lastName as family_name")
      .where("id", "=", referralId);
    const row = await query.executeTakeFirstOrThrow();
    expect(row).toMatchObject({ firstName: "Åse", family_name: "Møller", mobilePhone: null });
    expect(Object.keys(row).filter((name) => name.includes("_"))).toEqual(["family_name"]);
    const streamed: unknown[] = [];
    for await (const one of query.stream()) streamed.push(one);
    expect(streamed).toEqual([row]);
    const { rows } =
      await sql`select first_name, last_name as family_name from referral where id = ${referralId}`.execute(portal.db);
    expect(rows).toEqual([{ firstName: "Åse", family_name: "Møller" }]);
  });

  test("have booleans for flags, wherever a statement takes them from", async () => {
    await portal.db.updateTable("referral").set({ isTest: true }).where("id", "=", referralId).execute();
    const of = portal.db.selectFrom("referral").where("referral.id", "=", referralId);
    const one = of.select(["isTest", "hasRadiographs"]);
    const statements = {
      plain: one,
      filtered: one.where("isTest", "=", true).where("hasRadiographs", "=", false),
      derived: portal.db.selectFrom(one.limit(1).as("inner")).selectAll(),
      grouped: portal.db.selectFrom(one.groupBy(["isTest", "hasRadiographs"]).as("inner")).selectAll(),
      common: portal.db
        .with("inner", () => one)
        .selectFrom("inner")
        .selectAll(),
      united: one.union(one),
      joined: of
        .leftJoin("referral as other", "other.id", "referral.id")
        .select(["other.isTest", "other.hasRadiographs"]),
    };
    for (const [name, statement] of Object.entries(statements)) {
      const { rows } = await portal.db.executeQuery(statement);
      expect(rows, name).toEqual([{ isTest: true, hasRadiographs: false }]);
    }
  });

  test("stay whole when a newer process adds a column between two reads", async () => {
    const query = portal.db
      .selectFrom("user")
      .innerJoin("referral", "referral.referrerId", "user.id")
      .selectAll(["user", "referral"])
      .where("referral.id", "=", referralId);
    const before = await query.executeTakeFirstOrThrow();
    const newer = openDatabase({ databaseUrl: portal.config.databaseUrl ?? "", dataDir: portal.config.dataDir });
    try {
      await sql`alter table user add column of_a_newer_release int default 7`.execute(newer);
    } finally {
      await newer.destroy();
    }
    const after = await query.executeTakeFirstOrThrow();
    expect(after).toEqual({ ...before, of_a_newer_release: 7 });
    expect(after.firstName).toBe("Åse");
  });
});

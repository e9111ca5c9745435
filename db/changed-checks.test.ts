import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aPerson } from "../tests/factories/people";
import { uploadRadiograph } from "../tests/factories/radiographs";
import { aReferral } from "../tests/factories/referrals";
import { buildChild, runChild } from "../tests/support/crash/run-child";
import { databaseShape } from "../tests/support/database-shape";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { rowCount } from "./connection.server";
import { applyChanges } from "./ddl.server";
import { tables } from "./tables";

const NOW = tables["referral"]!.checks!.find((check) => check.startsWith("status between"))!;
const NEXT = "status between -1 and 100";
const checks = { [NOW]: NEXT };

forEachDatabase("a changed check", (dialect) => {
  let portal: TestPortal;
  let id: number;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const dentist = await aPerson(portal, { role: "Dentist" });
    id = await aReferral(portal, dentist);
    await uploadRadiograph(portal, dentist, id, "48.jpg", { bytes: readFileSync("tests/files/small.jpg"), type: 0 });
  });
  afterAll(() => portal.close());

  const setStatus = (status: number) => sql`update referral set status = ${status} where id = ${id}`.execute(portal.db);
  const rows = async () => [
    await portal.db.selectFrom("referral").selectAll().orderBy("id").execute(),
    await rowCount(portal.db.selectFrom("referralFile")),
    await rowCount(portal.db.selectFrom("visitLog")),
  ];

  test(
    "a process killed at any statement leaves every row, and the old check or the new",
    { tags: "matrix" },
    async () => {
      const child = await buildChild();
      const before = await rows();
      const plan = {
        now: portal.clock.now().toISOString(),
        steps: [{ does: "changeChecks" as const, table: "referral", checks }],
      };
      for (let dieBefore = 1; ; dieBefore += dieBefore < 10 ? 1 : 9) {
        const { signal, code, errors } = await runChild(child, portal.config, { ...plan, dieBefore }, {});
        expect(await rows(), `killed before statement ${dieBefore}`).toEqual(before);
        if (signal !== null) continue;
        expect(code, errors).toBe(0);
        expect(dieBefore).toBeGreaterThan(2);
        break;
      }
      await applyChanges(portal.db, { checks: { referral: { [NEXT]: NOW } } });
    },
  );

  test("a status more is taken, and all else is as before", async () => {
    await expect(setStatus(100)).rejects.toThrow(/constraint/i);
    const deleted = await aReferral(portal, await aPerson(portal, { role: "Dentist" }));
    await portal.db.deleteFrom("referral").where("id", "=", deleted).execute();
    const [before, shape] = [await rows(), await databaseShape(portal.db)];
    await applyChanges(portal.db, { checks: { referral: checks } });
    expect(await rows()).toEqual(before);
    const changed = (await databaseShape(portal.db))["referral"]!;
    const isSame = (line: string) => !line.includes("between -1 and");
    expect(changed.filter(isSame)).toEqual(shape["referral"]!.filter(isSame));
    await setStatus(100);
    await expect(setStatus(101)).rejects.toThrow(/constraint/i);
    const next = await aReferral(portal, await aPerson(portal, { role: "Dentist" }));
    expect(next, "a deleted referral's number is not given again").toBeGreaterThan(deleted);
    await expect(
      sql`update referral_file set referral_id = 999999`.execute(portal.db),
      "foreign keys hold",
    ).rejects.toThrow(/constraint/i);
  });

  test("once more changes nothing; a check that is not there is named", async () => {
    const shape = await databaseShape(portal.db);
    await applyChanges(portal.db, { checks: { referral: checks } });
    expect(await databaseShape(portal.db)).toEqual(shape);
    const unknown = applyChanges(portal.db, { checks: { referral: { "status < 3": "status < 4" } } });
    await expect(unknown).rejects.toThrow("The table referral has no check (status < 3)");
  });
});

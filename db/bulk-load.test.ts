import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestPortal } from "../tests/support/test-portal";
import { withoutIndexes } from "./bulk-load.server";

test("tables lack the indexes for reading while they are filled", async () => {
  const portal = await createTestPortal("sqlite");
  try {
    const indexes = async () => {
      const { rows } = await sql<{ name: string }>`
        select name from sqlite_master where type = 'index' and sql like 'create index%' and tbl_name = 'audit_referral'
        order by name`.execute(portal.db);
      return rows.map(({ name }) => name);
    };
    const before = await indexes();
    let meanwhile: string[] | undefined;
    await withoutIndexes(portal.db, ["auditReferral"], async () => {
      meanwhile = await indexes();
    });
    expect(before).not.toEqual([]);
    expect(meanwhile).toEqual([]);
    expect(await indexes()).toEqual(before);
  } finally {
    await portal.close();
  }
});

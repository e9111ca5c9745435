import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { inTransaction, insertUnlessThere, isDuplicate } from "~db/connection.server";
import { StoreFull } from "~/gateways/file-store/port";
import { anonymous, operationPortal } from "../../tests/support/portals/operation-portal";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { change, external } from "./operation.server";
import { Refusal } from "./refusal";

forEachDatabase("operations", (dialect) => {
  let portal: TestPortal;
  const { setting } = operationPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("errors", () => {
    test("distinguishes a unique violation from other errors", async () => {
      const insert = () => portal.db.insertInto("setting").values(setting("dobbelt")).execute();
      await insert();
      expect(isDuplicate(await insert().catch((error: unknown) => error))).toBe(true);
      const missing = { ...setting("mangler"), value: null } as unknown as ReturnType<typeof setting>;
      const rejection: unknown = await portal.db
        .insertInto("setting")
        .values(missing)
        .execute()
        .catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(Error);
      expect(isDuplicate(rejection)).toBe(false);
      expect(isDuplicate(new Refusal("conflict"))).toBe(false);
    });

    test("insertUnlessThere answers whether it inserted", async () => {
      expect(await inTransaction(portal.db, (tx) => insertUnlessThere(tx, "setting", setting("ny")))).toBe(true);
      expect(await inTransaction(portal.db, (tx) => insertUnlessThere(tx, "setting", setting("ny")))).toBe(false);
    });

    test("insertUnlessThere leaves what is there, and cuts nothing that does not fit", async () => {
      const rows = [setting("flere-1"), setting("flere-2")];
      await insertUnlessThere(portal.db, "setting", rows[0]!);
      expect(await insertUnlessThere(portal.db, "setting", rows)).toBe(true);
      expect(await insertUnlessThere(portal.db, "setting", rows)).toBe(false);
      const missing = { ...setting("mangler-stadig"), value: null } as unknown as ReturnType<typeof setting>;
      const tooLong = setting("lang".repeat(500));
      if (dialect === "mariadb")
        for (const row of [tooLong, missing])
          await expect(insertUnlessThere(portal.db, "setting", row)).rejects.toThrow(/too long|cannot be null/i);
    });

    test("a full database is refused as such, and nothing is half written", async () => {
      const fill = change({
        name: "test.fill",
        permission: "public",
        async run({ tx }) {
          await tx.insertInto("setting").values(setting("halv")).execute();
          if (dialect === "mariadb")
            await sql`insert into tiny select repeat('x', 250) from seq_1_to_20000`.execute(tx);
          else
            for (let turn = 0; turn < 100; turn += 1)
              await tx
                .insertInto("setting")
                .values({ ...setting(`fyld${turn}`), value: "x".repeat(60_000) })
                .execute();
          return {};
        },
      });
      if (dialect === "mariadb") {
        await sql`set global max_heap_table_size = 16384`.execute(portal.db);
        const small = await portal.reopened();
        await sql`create table tiny (text char(250)) engine=memory max_rows=10`.execute(small.db);
        await sql`set global max_heap_table_size = default`.execute(portal.db);
        await small.close();
      } else {
        const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(portal.db);
        await sql.raw(`pragma max_page_count = ${rows[0]!.pageCount + 20}`).execute(portal.db);
      }
      await expect(portal.as(anonymous, fill, {})).rejects.toMatchObject({ name: "storeFull" });
      expect(await portal.db.selectFrom("setting").select("name").execute()).toEqual([]);
      if (dialect === "sqlite") await sql`pragma max_page_count = 1000000`.execute(portal.db);
    });

    test("a full file store is refused with the same text", async () => {
      const upload = external({
        name: "test.upload",
        permission: "public",
        async prepare() {
          throw new StoreFull();
        },
        run: async () => ({}),
      });
      await expect(portal.as(anonymous, upload, {})).rejects.toMatchObject({ name: "storeFull" });
    });
  });
});

import { sql } from "kysely";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Caller } from "~/access/caller";
import { execute, plainInput, read } from "~/access/operation.server";
import { createTestPortal, forEachDatabase } from "../tests/support/test-portal";
import { limitedReads } from "./read-limit.server";

const visitor: Caller = { actor: { kind: "anonymous" }, site: "public", address: "", sessionId: null };

/** A read that takes MariaDB longer than the limit. */
const sleep = read({
  name: "test.sleep",
  permission: "public",
  input: z.object({}),
  run: ({ db }) => db.selectNoFrom(sql`sleep(60)`.as("slept")).executeTakeFirst(),
});

forEachDatabase("the limit of a page's reads", (dialect) => {
  test("answers what was asked, joined and in sets alike", async () => {
    const portal = await createTestPortal(dialect);
    const db = limitedReads(portal.db);
    const names = db.selectFrom("jobRun").select("name");
    expect(await names.union(names).execute()).toEqual([]);
    expect(await db.selectFrom("jobRun").select("name").where("name", "in", names).execute()).toEqual([]);
    await portal.close();
  });

  test.runIf(dialect === "mariadb")(
    "a statement that takes too long is ended, and the reader told to wait",
    async () => {
      const portal = await createTestPortal(dialect);
      const began = performance.now();
      await expect(execute(portal, visitor, sleep, plainInput({}))).rejects.toMatchObject({
        name: "tooBusy",
        retryAfterSeconds: 30,
      });
      expect(performance.now() - began).toBeLessThan(30_000);
      await portal.close();
    },
  );
});

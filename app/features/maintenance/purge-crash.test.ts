// @module-tag matrix
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Caller } from "~/access/caller";
import type { CrashStep } from "../../../tests/support/crash/child";
import { deaths, killedPortal, LONG } from "../../../tests/support/portals/killed-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { purgeFiles } from "./operations.server";

const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };

forEachDatabase("kill -9", (dialect) => {
  let portal: TestPortal;
  const { run, lastStatement } = killedPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("during a purge", () => {
    const purge: CrashStep[] = [{ does: "purgeFiles" }];

    async function due(): Promise<{ id: number; key: string }> {
      const key = await portal.files.put(Readable.from([Buffer.from("deleted long ago")]));
      const file = {
        storageKey: key,
        fileName: "purged.jpg",
        mime: "image/jpeg",
        sizeBytes: 16,
        sha256: key,
        scanState: "notScanned",
        dicomCprHash: null,
        createdAt: "2026-10-01T09:00:00.000Z",
        purgeAfter: "2026-10-31T09:00:00.000Z",
      };
      const { insertId } = await portal.db.insertInto("storedFile").values(file).executeTakeFirstOrThrow();
      return { id: Number(insertId), key };
    }
    const hasRow = async (id: number) =>
      (await portal.db.selectFrom("storedFile").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
    const hasBytes = (key: string) =>
      portal.files.size(key).then(
        () => true,
        () => false,
      );

    test(
      "killed before its statements: no bytes without a row, the next purge finishes",
      async () => {
        await due();
        const last = await lastStatement(purge);
        expect(last).toBeGreaterThan(10);
        const halves = new Set<string>();
        for (const n of deaths(dialect, last)) {
          const { id, key } = await due();
          expect(await run({ dieBefore: n, steps: purge })).toMatchObject({ signal: "SIGKILL" });
          const [row, bytes] = [await hasRow(id), await hasBytes(key)];
          expect(bytes && !row, `killed before statement ${n}`).toBe(false);
          halves.add(`${row ? "row" : "no row"}, ${bytes ? "bytes" : "no bytes"}`);
          await portal.as(worker.actor, purgeFiles, {});
          expect([await hasRow(id), await hasBytes(key)]).toEqual([false, false]);
        }
        expect([...halves].toSorted()).toEqual(["no row, no bytes", "row, bytes", "row, no bytes"]);
      },
      LONG,
    );
  });
});

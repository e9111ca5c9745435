// @module-tag node
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { expect, test } from "vitest";
import { toMoment } from "~/text/dates";
import { insertStoredFile } from "~/files/stored-file-store.server";
import { purgeFiles } from "~/features/maintenance/operations.server";
import { openSqlite } from "~db/connection.server";
import { signIn, startServer } from "../../scripts/test-server.mjs";
import { backupPortal } from "../support/portals/backup-portal";
import { COMMAND_SECRET as SECRET, run, runApart } from "../support/commands";
import { forEachDatabase, type TestPortal } from "../support/test-portal";

const nobody = { kind: "system", job: "test" } as const;

forEachDatabase("backup and restore", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { folder, at, from, into, emptyPlace, openPlace, storedLike, aFile, writeOn } = backupPortal(
    dialect,
    (opened) => (portal = opened),
  );

  test("a copy taken under load comes up elsewhere whole, and sends nothing", async () => {
    const load = writeOn();
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(20);
    const before = [...load.acknowledged];
    const { code, output } = await runApart(from, "backup", at("copy"), "--secret", at("secret"));
    const during = load.acknowledged.length - before.length;
    await load.stop();
    expect([code, output], output).toEqual([0, expect.stringContaining("henvisninger")]);
    expect(during).toBeGreaterThan(0);
    expect(readFileSync(at("secret"), "utf8")).toContain(`APP_SECRET=${SECRET}`);
    expect(statSync(at("secret")).mode & 0o077).toBe(0);
    expect(readdirSync(at("copy")).sort()).toEqual(["copy.json", "files", "portal.db"]);
    expect(readFileSync(path.join(at("copy"), "copy.json"), "utf8")).not.toContain(SECRET);

    const restored = await runApart(into, "restore", at("copy"));
    expect(restored.code, restored.output).toBe(0);
    const db = openPlace(into);
    try {
      const ids = async (table: "referral" | "outbox" | "storedFile") =>
        (await db.selectFrom(table).select("id").execute()).map(({ id }) => id);
      const [referrals, messages] = [new Set(await ids("referral")), new Set(await ids("outbox"))];
      for (const { referral, outbox } of before) {
        expect(referrals.has(referral)).toBe(true);
        expect(messages.has(outbox)).toBe(true);
      }
      // One moment: rows equal the original, and transactions are complete.
      const rows = (of: typeof db) =>
        of
          .selectFrom("referral")
          .select(["id", "cprEncrypted", "version", "sentAt"])
          .where("sentAt", "is not", null)
          .orderBy("id")
          .execute();
      const original = new Map((await rows(portal.db)).map((row) => [row.id, row]));
      const copied = await rows(db);
      for (const row of copied) expect(row).toEqual(original.get(row.id));
      const { orphans } = await db
        .selectFrom("referral")
        .leftJoin("visitLog", "visitLog.referralId", "referral.id")
        .where("referral.sentAt", "is not", null)
        .where("visitLog.id", "is", null)
        .select((eb) => eb.fn.countAll<number>().as("orphans"))
        .executeTakeFirstOrThrow();
      expect(Number(orphans)).toBe(0);
      const files = await db.selectFrom("storedFile").select(["storageKey", "sha256"]).execute();
      expect(files.length).toBeGreaterThanOrEqual(before.length);
      for (const { storageKey: key, sha256 } of files) {
        const bytes = readFileSync(path.join(into.DATA_DIR!, "files", key.slice(0, 2), key.slice(2, 4), key));
        expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
      }
      // Ids of deleted rows are not reused.
      const next = await insertStoredFile(
        db,
        { ...(await storedLike("næste")), storageKey: "0".repeat(32) },
        new Date(),
      );
      expect(next).toBeGreaterThan(Math.max(...(await ids("storedFile")).filter((id) => id !== next)));
      await db.deleteFrom("storedFile").where("id", "=", next).execute();
    } finally {
      await db.destroy();
    }
  });

  test("a restored portal sends nothing until an administrator decides", async () => {
    const queued = async () => {
      const db = openPlace(into);
      const rows = await db.selectFrom("outbox").select(["id", "outcome", "detail"]).orderBy("id").execute();
      const runs = await db.selectFrom("jobRun").select("finishedAt").where("finishedAt", "is not", null).execute();
      await db.destroy();
      return { rows, runs: runs.length };
    };
    const before = await queued();
    expect(before.rows.filter(({ outcome }) => outcome === "queued").length).toBeGreaterThan(20);
    const server = await startServer({ env: { NODE_ENV: "development", APP_SECRET: SECRET, ...into } });
    try {
      const cookie = await signIn(server.origin, "chef");
      const page = await (await fetch(`${server.origin}/management/overview`, { headers: { cookie } })).text();
      expect(page).toMatch(/Dette er en kopi fra .*: intet sendes, og intet hentes\./);
      const jobs = await (await fetch(`${server.origin}/management/settings/job`, { headers: { cookie } })).text();
      expect(jobs).toMatch(/Dette er en kopi fra .*ingen job kører/);
      expect(jobs).toContain("Står stille");
      await rest(4000);
      expect(await queued()).toEqual(before);

      const asked = await run(into, "resume-sending");
      expect([asked.code, asked.output]).toEqual([1, expect.stringMatching(/E-mail: \d+[\s\S]*--queued hold/)]);
      expect(await queued()).toEqual(before);
      const resumed = await run(into, "resume-sending", "--queued", "hold");
      expect([resumed.code, resumed.output]).toEqual([0, expect.stringContaining("ligger under Fejl")]);
      const after = await queued();
      expect(after.rows.filter(({ outcome }) => outcome === "queued")).toEqual([]);
      expect(after.rows[0]).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("kopi") });
      await expect.poll(async () => (await queued()).runs).toBeGreaterThan(before.runs);
      const again = await (await fetch(`${server.origin}/management/overview`, { headers: { cookie } })).text();
      expect(again).not.toContain("Dette er en kopi");
    } finally {
      await server.stop();
    }
    expect(await run(into, "resume-sending", "--queued", "send")).toMatchObject({ code: 1 });
    const db = openPlace(into);
    const events = await db
      .selectFrom("auditEvent")
      .select(["operation", "detail"])
      .where("operation", "like", "copies.%")
      .orderBy("id")
      .execute();
    await db.destroy();
    expect(events.map(({ operation }) => operation)).toEqual(["copies.noteRestore", "copies.resumeSending"]);
    expect(events[1]!.detail).toMatch(/^sending resumed by .+, queued messages: hold \(\d+\)$/);
    const made = await portal.db
      .selectFrom("auditEvent")
      .select("detail")
      .where("operation", "=", "copies.noteBackup")
      .execute();
    expect(made).toHaveLength(1);
  });

  test("refuses a database in use, an incomplete copy and a secret that does not match", async () => {
    const errorOf = async (place: Record<string, string>, ...args: string[]) => {
      const { code, output } = await run(place, ...args);
      expect(code, output).toBe(1);
      return output;
    };
    expect(await errorOf(into, "restore", at("copy"))).toMatch(/is in use \(\d+ rows in user/);
    expect(await errorOf(from, "backup", at("copy"))).toContain("is not empty");
    expect(await errorOf(from, "backup", at("new"), "--secret", path.join(at("new"), "secret"))).toContain("outside");
    expect(await errorOf(from, "backup", at("new"), "--secret", at("secret"))).toContain("is there already");
    const other = await emptyPlace("other");
    const wrong = { ...other, APP_SECRET: "another-secret-that-is-quite-long-enough-too" };
    expect(await errorOf(wrong, "restore", at("copy"))).toMatch(/APP_SECRET: the copy holds text/);
    expect(await errorOf(other, "restore", folder)).toContain("no copy.json");
    expect(await errorOf({ DATA_DIR: at("never"), DATABASE_URL: "" }, "backup", at("new"))).toMatch(
      /no portal has run/,
    );
    expect(existsSync(at("never"))).toBe(false);
    expect(await errorOf(await emptyPlace("unbegun", true), "backup", at("new"))).toContain("is empty");

    const strange = path.join(other.DATA_DIR!, "files", "ab", "cd");
    mkdirSync(strange, { recursive: true });
    writeFileSync(path.join(strange, `abcd${"0".repeat(28)}`), "x");
    expect(await errorOf(other, "restore", at("copy"))).toContain("not the copy's");
    rmSync(path.join(other.DATA_DIR!, "files"), { recursive: true });

    const some = path.join(at("copy"), "files");
    const prefix = readdirSync(some)[0]!;
    const file = path.join(some, prefix, readdirSync(path.join(some, prefix))[0]!);
    const whole = readFileSync(file);
    appendFileSync(file, "x");
    expect(await errorOf(other, "restore", at("copy"))).toContain("The copy is damaged");
    expect(existsSync(path.join(other.DATA_DIR!, "portal.db"))).toBe(false);
    writeFileSync(file, whole);
    appendFileSync(path.join(at("copy"), "portal.db"), "x");
    expect(await errorOf(other, "restore", at("copy"))).toContain("was changed after the copy was made");
  });

  test("a missing or damaged file fails the copy; an expired one does not", async () => {
    const { key: gone } = await aFile("væk ", "2020-01-01T00:00:00.000Z");
    await portal.files.remove(gone);
    const fine = await run(from, "backup", at("with-gone"));
    expect(fine.code, fine.output).toBe(0);
    expect(fine.output).toContain("1 filer blev slettet for altid imens");

    const { id, key } = await aFile("mangler ");
    await portal.files.remove(key);
    const failed = await run(from, "backup", at("failed"));
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining(`${key}: No such file`)]);
    expect(existsSync(path.join(at("failed"), "copy.json"))).toBe(false);
    await portal.db.deleteFrom("storedFile").where("id", "=", id).execute();
    const marks = await portal.db.selectFrom("upkeep").selectAll().execute();
    expect(marks).toEqual([]);
  });

  test("while a copy is made nothing is purged", async () => {
    const { key } = await aFile("forfalden ", "2020-01-01T00:00:00.000Z");
    portal.clock.set(new Date().toISOString());
    const later = toMoment(new Date(portal.clock.now().getTime() + 60_000));
    await portal.db.insertInto("upkeep").values({ name: "backup", at: later }).execute();
    await portal.as(nobody, purgeFiles, {});
    expect(await portal.files.size(key)).toBeGreaterThan(0);
    expect(await run(from, "backup", at("second"))).toMatchObject({
      code: 1,
      output: expect.stringContaining("Another backup"),
    });
    await portal.db.deleteFrom("upkeep").execute();
    await portal.as(nobody, purgeFiles, {});
    await expect(portal.files.size(key)).rejects.toThrow("No such file");
  });

  test.runIf(dialect === "mariadb")(
    "a copy of MariaDB comes up as SQLite, and goes back to MariaDB",
    async () => {
      const made = await run(from, "backup", at("across"));
      expect(made.code, made.output).toBe(0);
      const sqlite = { DATA_DIR: at("as-sqlite"), DATABASE_URL: "" };
      expect(await run(sqlite, "restore", at("across"))).toMatchObject({ code: 0 });
      const db = openSqlite(path.join(at("as-sqlite"), "portal.db"));
      const { count } = await db
        .selectFrom("referral")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      await db.destroy();
      const live = await portal.db
        .selectFrom("referral")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBe(Number(live.count));
      const back = await run(sqlite, "backup", at("back"));
      expect(back.code, back.output).toBe(0);
      expect(await run(await emptyPlace("again"), "restore", at("back"))).toMatchObject({ code: 0 });
    },
    120_000,
  );
});

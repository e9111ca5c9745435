// @module-tag node
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { subDays } from "date-fns";
import mysql from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeOldEvents } from "~/access/audit-store.server";
import { inTransaction, openDatabase } from "~db/connection.server";
import { freePort } from "../../scripts/test-server.mjs";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-start-"));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const production = {
  NODE_ENV: "production" as const,
  APP_SECRET: "kT3vQ9xLm2Zr8WfJ6hYpD4sBnC7gAe5u",
  ADMIN_ORIGIN: "https://klinik.eksempel.dk",
  PUBLIC_ORIGIN: "https://www.eksempel.dk",
  ADMIN_IP_ALLOW: "any",
  PARKING_IP_ALLOW: "any",
};

/** Error output of a command that cannot run. */
function errorOf(args: string[], env: Partial<NodeJS.ProcessEnv> = {}): string {
  const { status, stderr } = spawnSync(process.execPath, [path.join("build", "server.js"), ...args], {
    encoding: "utf8",
    timeout: 300_000,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...production, ...env },
  });
  expect(status).toBe(1);
  return stderr.trim();
}

test("reports what the operator can fix in one line, without a stack", { tags: "mariadb" }, () => {
  expect(errorOf(["frobnicate"])).toMatch(/^Usage: [^\n]+$/);
  expect(errorOf(["create-admin", "--help"])).toBe("Unknown option '--help'");
  expect(errorOf(["serve"], { PORT: "x", WORKER: "maybe" })).toBe(
    "PORT: must be a whole number from 0 to 65535\nWORKER: must be on or off",
  );
  expect(errorOf(["serve"], { TRUSTED_PROXIES: "0.0.0.0/0" })).toBe(
    "TRUSTED_PROXIES: must name the proxies, not every address",
  );
  expect(errorOf(["serve"], { DATABASE_URL: "mysql://x:y@127.0.0.1:1/portal" })).toBe(
    "DATABASE_URL: nobody answers there",
  );
  const { host, href } = new URL(process.env.TEST_MARIADB_URL!);
  expect(errorOf(["serve"], { DATABASE_URL: `${href.replace(/\/$/, "")}/no_such_database` })).toBe(
    "DATABASE_URL: there is no database of that name",
  );
  expect(errorOf(["serve"], { DATABASE_URL: `mysql://nobody:wrong@${host}/portal` })).toBe(
    "DATABASE_URL: the user or the password is refused",
  );
});

test("reports a port that is taken", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  expect(errorOf(["serve"], { PORT: String((other.address() as AddressInfo).port) })).toBe(
    `PORT or METRICS_PORT: another program listens on 127.0.0.1:${(other.address() as AddressInfo).port} already`,
  );
  const PORT = String(await freePort());
  expect(errorOf(["serve"], { PORT, METRICS_PORT: String((other.address() as AddressInfo).port) })).toBe(
    `PORT or METRICS_PORT: another program listens on 127.0.0.1:${(other.address() as AddressInfo).port} already`,
  );
  other.close();
});

test("reports a data folder that is a file, or below one", () => {
  const file = path.join(dataDir, "a-file");
  writeFileSync(file, "");
  expect(errorOf(["serve"], { DATA_DIR: file })).toMatch(/^DATA_DIR: [^\n]+$/);
  expect(errorOf(["serve"], { DATA_DIR: path.join(file, "data") })).toMatch(/^DATA_DIR: [^\n]+$/);
  expect(errorOf(["serve"], { DATA_DIR: file, NODE_ENV: "development", APP_SECRET: "" })).toMatch(/^DATA_DIR: [^\n]+$/);
});

test("refuses a Node that is too old with a sentence", async () => {
  const entry = path.join(dataDir, "server.mjs");
  writeFileSync(entry, readFileSync(path.join("build", "server.js"), "utf8"));
  const old = `Object.defineProperty(process.versions, "node", { value: "18.20.4" }); await import(${JSON.stringify(pathToFileURL(entry).href)});`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", old], { encoding: "utf8" });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^The portal needs Node 20\.19 or later; this is Node 18\.20\.4 [^\n]+\n$/),
  ]);
});

test("the portal's files are readable by its user only", () => {
  const own = path.join(dataDir, "own");
  const { status } = spawnSync(process.execPath, [path.join("build", "server.js"), "demo-data", "--referrals", "1"], {
    env: { PATH: process.env.PATH, DATA_DIR: own, NODE_ENV: "development" },
    timeout: 300_000,
  });
  expect(status).toBe(0);
  const open = readdirSync(own, { recursive: true })
    .map((name) => path.join(own, String(name)))
    .filter((name) => (statSync(name).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

test("create-admin asks for the password at a terminal and does not show it", async () => {
  const own = path.join(dataDir, "first-admin");
  const command = `${process.execPath} ${path.join("build", "server.js")} create-admin --user-name chef --first-name Åse --last-name Kjær --email aase@eksempel.dk`;
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    env: { PATH: process.env.PATH, DATA_DIR: own, NODE_ENV: "development", SHELL: "/bin/sh" },
  });
  let shown = "";
  terminal.stdout.on("data", (text) => {
    const asked = shown.includes("Adgangskode:");
    shown += text;
    if (!asked && shown.includes("Adgangskode:")) terminal.stdin.write("Blaabaer-Groed-77\r");
  });
  await new Promise((resolve) => terminal.once("exit", resolve));
  expect(shown).toContain("Kontoen chef er oprettet.");
  expect(shown).not.toContain("Blaabaer");
});

test("the serving database user may change neither schema nor audit", { tags: "mariadb" }, async () => {
  const server = process.env.TEST_MARIADB_URL!;
  const [name, password] = ["portal_rights_test", "Rq7tXw2Lm9Zr8Wf3"];
  const owner = "portal_owner_test";
  const connection = await mysql.createConnection({ uri: server, multipleStatements: true });
  const users = [`${owner}@'%'`, `${name}@'%'`];
  const remove = `drop database if exists ${name}; drop user if exists ${users.join()}`;
  await connection.query(`${remove}; create database ${name} character set utf8mb4`);
  for (const user of users) await connection.query(`create user ${user} identified by '${password}'`);
  await connection.query(`grant all on ${name}.* to ${users[0]} with grant option`);
  // Grants as an operator gave them before, except on the schema.
  await connection.query(`grant select, insert, update, delete on ${name}.* to ${users[1]}`);
  const urlOf = (user: string) => `mysql://${user}:${password}@${new URL(server).host}/${name}`;
  const run = (args: string[], user: string, more = {}) => {
    const { status, stderr } = spawnSync(process.execPath, [path.join("build", "server.js"), ...args], {
      encoding: "utf8",
      timeout: 300_000,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        ...production,
        DATABASE_INSECURE: "said-on-purpose",
        DATABASE_URL: urlOf(user),
        ...more,
      },
    });
    return [status, stderr.trim()];
  };
  let served;
  try {
    expect(run(["resume-sending"], name)).toEqual([
      1,
      "DATABASE_URL: this user may not do it: run `migrate` first, and it, `restore` and `rotate-keys` as the user who owns the tables",
    ]);
    // The second run is an upgrade.
    for (const DATABASE_SERVING_USER of [name, `${name}@%`])
      expect(run(["migrate"], owner, { DATABASE_SERVING_USER })).toEqual([0, ""]);
    expect(run(["rebuild-statistics"], name)).toEqual([0, ""]);
    expect((await connection.query(`select key_id from ${name}.encryption_key`))[0]).toHaveLength(1);

    served = await mysql.createConnection({ uri: urlOf(name), dateStrings: true });
    const event = (daysAgo: number) =>
      served!.query(
        "insert into audit_event (at, actor_kind, operation, outcome) values (date_format(utc_timestamp(3) - interval ? day, '%Y-%m-%d %H:%i:%s.000'), 'system', 'test', 'done')",
        [daysAgo],
      );
    for (const daysAgo of [1900, 1830, 1820, 1]) await event(daysAgo);
    for (const forbidden of [
      "update audit_event set outcome = 'refused'",
      "delete from audit_event",
      "delete from audit_referral",
      "truncate table audit_event",
      "drop table audit_event",
      "alter table audit_event drop column outcome",
      "create trigger t before insert on audit_event for each row set new.outcome = 'done'",
      "drop procedure remove_old_audit",
      "update kysely_migration set name = 'x'",
    ])
      await expect(served.query(forbidden), forbidden).rejects.toMatchObject({
        code: expect.stringMatching(/DENIED/),
      });
    const left = async () =>
      (
        (await served!.query("select count(*) as n from audit_event where operation = 'test'"))[0] as { n: number }[]
      )[0]!.n;
    expect(await left()).toBe(4);
    const db = openDatabase({ databaseUrl: urlOf(name), dataDir });
    await inTransaction(db, (tx) => removeOldEvents(tx, subDays(new Date(), 1825)));
    await db.destroy();
    expect(await left()).toBe(2);
  } finally {
    await served?.end();
    await connection.query(remove);
    await connection.end();
  }
});

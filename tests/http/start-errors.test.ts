import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import mysql from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
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

/** What a command that cannot run says, as whoever starts it sees it. */
function errorOf(args: string[], env: Partial<NodeJS.ProcessEnv> = {}): string {
  const { status, stderr } = spawnSync(process.execPath, [path.join("build", "server.js"), ...args], {
    encoding: "utf8",
    timeout: 30_000,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...production, ...env },
  });
  expect(status).toBe(1);
  return stderr.trim();
}

test("reports what the operator can fix in one line, without a stack", () => {
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
}, 60_000);

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
}, 60_000);

test("reports a data folder that is a file, or below one", () => {
  const file = path.join(dataDir, "a-file");
  writeFileSync(file, "");
  expect(errorOf(["serve"], { DATA_DIR: file })).toMatch(/^DATA_DIR: [^\n]+$/);
  expect(errorOf(["serve"], { DATA_DIR: path.join(file, "data") })).toMatch(/^DATA_DIR: [^\n]+$/);
  expect(errorOf(["serve"], { DATA_DIR: file, NODE_ENV: "development", APP_SECRET: "" })).toMatch(/^DATA_DIR: [^\n]+$/);
}, 60_000);

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
    timeout: 60_000,
  });
  expect(status).toBe(0);
  const open = readdirSync(own, { recursive: true })
    .map((name) => path.join(own, String(name)))
    .filter((name) => (statSync(name).mode & 0o077) !== 0);
  expect(open).toEqual([]);
}, 60_000);

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
}, 60_000);

test("a database user who may not change the schema serves what another has migrated, and says so before", async () => {
  const server = process.env.TEST_MARIADB_URL!;
  const [name, password] = ["portal_rights_test", "Rq7tXw2Lm9Zr8Wf3"];
  const connection = await mysql.createConnection({ uri: server, multipleStatements: true });
  const remove = `drop database if exists ${name}; drop user if exists ${name}@'%', ${name}@localhost`;
  await connection.query(`${remove}; create database ${name} character set utf8mb4`);
  for (const host of ["'%'", "localhost"])
    await connection.query(
      `create user ${name}@${host} identified by '${password}'; grant select, insert, update, delete on ${name}.* to ${name}@${host}`,
    );
  const own = `mysql://${name}:${password}@${new URL(server).host}/${name}`;
  const run = (args: string[], DATABASE_URL: string) =>
    spawnSync(process.execPath, [path.join("build", "server.js"), ...args], {
      encoding: "utf8",
      timeout: 60_000,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        ...production,
        DATABASE_INSECURE: "said-on-purpose",
        DATABASE_URL,
      },
    });
  try {
    const before = run(["resume-sending"], own);
    expect([before.status, before.stderr.trim()]).toEqual([
      1,
      "DATABASE_URL: the user may not change the schema: run `migrate` first, as a user who may",
    ]);
    expect(run(["migrate"], `${server.replace(/\/$/, "")}/${name}`).status).toBe(0);
    // It writes as well: the key that the portal encrypts with.
    const after = run(["rebuild-statistics"], own);
    expect([after.status, after.stderr.trim()]).toEqual([0, ""]);
    expect((await connection.query(`select key_id from ${name}.encryption_key`))[0]).toHaveLength(1);
  } finally {
    await connection.query(remove);
    await connection.end();
  }
}, 120_000);

// @module-tag node
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { get, signIn, startServer } from "../../scripts/test-server.mjs";
import { openDatabase } from "~db/connection.server";

const secret = "tS3vK8rLq2Xz9WfJ6hYpD4mBnC7gAe5u";
const name = ["--user-name", "Ådministrator", "--first-name", "Åse", "--last-name", "Kjær"];
const account = [...name, "--email", "aase@eksempel.dk"];

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-admin-"));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs the command as an operator, with the password on standard input. */
function createAdmin(args: string[], password: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join("build", "server.js"), "create-admin", ...args],
    {
      encoding: "utf8",
      input: `${password}\n`,
      timeout: 300_000,
      env: { PATH: process.env.PATH, NODE_ENV: "development", DATA_DIR: dataDir, APP_SECRET: secret },
    },
  );
  return { status, output: stdout.trim(), error: stderr.trim() };
}

test("creates the first administrator, who can sign in to an otherwise empty portal", async () => {
  expect(createAdmin(account, "Hvidtjoern7Kost")).toMatchObject({
    status: 0,
    output: "Kontoen Ådministrator er oprettet.",
    error: "",
  });
  const server = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
  try {
    const cookie = await signIn(server.origin, "ådministrator", "Hvidtjoern7Kost");
    const overview = await get(`${server.origin}/management/overview`, { cookie });
    expect(overview.headers.location).toBe("/management/overview/opsaetning");
    const page = await get(`${server.origin}/management/overview/opsaetning`, { cookie });
    expect(page.status).toBe(200);
    expect(page.text).toContain("Før klinikken kan gå i gang");
    expect(page.text).not.toContain("Reset filtre");
  } finally {
    await server.stop();
  }
});

test("refuses invalid input in one line, and creates nothing", () => {
  const refused = (args: string[], password = "Hvidtjoern7Kost") => {
    const { status, output, error } = createAdmin(args, password);
    expect([status, output]).toEqual([1, ""]);
    return error;
  };
  expect(refused(name)).toMatch(/^create-admin --user-name NAME/);
  expect(refused(account, "kort")).toMatch(/^Adgangskoden skal have mindst 7 tegn\./);
  expect(refused(account, "")).toMatch(/^Adgangskoden skal have mindst 7 tegn\./);
  expect(refused([...name, "--email", "ingen adresse"])).toBe("Skriv en e-mailadresse, fx navn@eksempel.dk.");
  const again = ["--user-name", "aadministrator", ...account.slice(2)];
  expect(refused(again)).not.toBe("");
});

test("reset-second-factor removes a factor once, and reports the rest", async () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join("build", "server.js"), "reset-second-factor", ...args],
      {
        encoding: "utf8",
        timeout: 300_000,
        env: { PATH: process.env.PATH, NODE_ENV: "development", DATA_DIR: dataDir, APP_SECRET: secret },
      },
    );
    return [status, stdout.trim() || stderr.trim()];
  };
  expect(run()).toEqual([1, "reset-second-factor --user-name NAME"]);
  expect(run("--user-name", "findes-ikke")).toEqual([1, "Kontoen findes-ikke findes ikke."]);
  expect(run("--user-name", "Ådministrator")).toEqual([1, "Kontoen har ikke totrinslogin."]);
  const db = openDatabase({ dataDir, databaseUrl: "" });
  const { id } = await db.selectFrom("user").select("id").executeTakeFirstOrThrow();
  const row = {
    userId: id,
    isActive: true,
    rowKey: "x",
    secretEncrypted: "x",
    createdAt: "2026-11-23T09:00:00.000Z",
  };
  await db
    .insertInto("secondFactor")
    .values({ ...row, lastStep: null, activatedAt: null })
    .execute();
  await db.destroy();
  expect(run("--user-name", "ådministrator")).toEqual([
    0,
    "Totrinslogin er nulstillet for ådministrator. Alle sessioner er slut.",
  ]);
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-start-"));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const production = { NODE_ENV: "production" as const, APP_SECRET: "a-secret-that-is-long-enough-for-the-rule", ADMIN_ORIGIN: "https://klinik.eksempel.dk", PUBLIC_ORIGIN: "https://www.eksempel.dk" };

/** What a command that cannot run says, as whoever starts it sees it. */
function faultOf(args: string[], env: Partial<NodeJS.ProcessEnv> = {}): string {
  const { status, stderr } = spawnSync(process.execPath, [path.join("build", "server.js"), ...args], { encoding: "utf8", timeout: 30_000, env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...production, ...env } });
  expect(status).toBe(1);
  return stderr.trim();
}

test("what whoever starts it can mend is said in a line, without the place in the code where it was noticed", () => {
  expect(faultOf(["frobnicate"])).toMatch(/^Usage: [^\n]+$/);
  expect(faultOf(["create-admin", "--help"])).toBe("Unknown option '--help'");
  expect(faultOf(["serve"], { PORT: "x", WORKER: "maybe" })).toBe("PORT: must be a whole number from 0 to 65535\nWORKER: must be on or off");
  expect(faultOf(["serve"], { DATABASE_URL: "mysql://x:y@127.0.0.1:1/portal" })).toBe("DATABASE_URL: nobody answers there");
  const { host, href } = new URL(process.env.TEST_MARIADB_URL!);
  expect(faultOf(["serve"], { DATABASE_URL: `${href.replace(/\/$/, "")}/no_such_database` })).toBe("DATABASE_URL: there is no database of that name");
  expect(faultOf(["serve"], { DATABASE_URL: `mysql://nobody:wrong@${host}/portal` })).toBe("DATABASE_URL: the user or the password is refused");
}, 60_000);

test("a port that is taken is said to be", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  expect(faultOf(["serve"], { PORT: String((other.address() as AddressInfo).port) })).toBe("PORT: another program listens there already");
  other.close();
}, 60_000);

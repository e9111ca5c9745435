import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeDemoData } from "../../scripts/test-server.mjs";
import startDatabaseServers from "../support/database-servers";

/** Bulk rows besides a test's own, so that lists have several pages on any day. */
export const REFERRALS = 150;

/** Playwright's global setup: the database server, and `DEMO_DATA`, a data folder with the demo that each server copies. */
export default async function setUp() {
  const stopServers = await startDatabaseServers();
  const folder = (process.env.DEMO_DATA = mkdtempSync(path.join(os.tmpdir(), "portal-demo-")));
  makeDemoData(folder, REFERRALS);
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    await stopServers?.();
  };
}

import { execute, plainInput } from "~/access/operation.server";
import { cleanLocalDisk } from "~/features/maintenance/operations.server";
import type { Portal } from "~/portal.server";
import { type Loop, startLoop } from "./loop.server";
import { systemCaller } from "./system-caller";

const EVERY_MS = 60 * 60_000;

/** Cleans the local disk hourly; each process does its own, so no lease is needed. */
export function startLocalCleanup(portal: Portal): Loop {
  return startLoop("tidying", { log: portal.log, idleMs: EVERY_MS }, async () => {
    await execute(portal, systemCaller("tidying"), cleanLocalDisk, plainInput({}));
    return "idle";
  });
}

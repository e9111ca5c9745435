import { execute, plainInput } from "~/access/operation.server";
import { tidyMachine } from "~/features/maintenance/tidy-machine.server";
import type { Portal } from "~/portal.server";
import { type Loop, startLoop } from "./loop.server";
import { systemCaller } from "./system-caller";

const EVERY_MS = 60 * 60_000;

/** Each process tidies its own machine every hour; no lease, since no other process can. */
export function startTidying(portal: Portal): Loop {
  return startLoop("tidying", { log: portal.log, idleMs: EVERY_MS }, async () => {
    await execute(portal, systemCaller("tidying"), tidyMachine, plainInput({}));
    return "idle";
  });
}

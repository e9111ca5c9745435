import { startLocalCleanup } from "~/jobs/local-cleanup.server";
import { startWorker } from "~/jobs/worker.server";
import type { Portal } from "~/portal.server";

/**
 * Ends the process on an uncaught error as Node does, but without printing its message, which may hold patient data.
 */
export function endOnDefect({ log }: Pick<Portal, "log">): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "ended by an error that nothing caught");
    process.exit(1);
  });
}

/** The oldest line of Node that still gets security fixes: 20 has had none since April 2026. */
const OLDEST_SUPPORTED = 22;

/** Warns in production's log that this Node gets no security fixes. @param version such as `24.21.0` */
export function warnOfOldNode({ config, log }: Pick<Portal, "config" | "log">, version = process.versions.node): void {
  if (!config.production || Number.parseInt(version, 10) >= OLDEST_SUPPORTED) return;
  log.warn({ node: version }, "this Node gets no security fixes any more; the portal runs on Node 24");
}

export async function workOnly(portal: Portal): Promise<void> {
  endOnDefect(portal);
  warnOfOldNode(portal);
  const loops = [startWorker(portal), startLocalCleanup(portal)];
  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  await Promise.all(loops.map((loop) => loop.stop()));
  await portal.close();
}

import { startLocalCleanup, startWorker } from "~/jobs/worker.server";
import type { Portal } from "~/portal.server";
import { version } from "../../package.json";

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

/**
 * Logs the release, and in production a warning if this Node gets no security fixes. @param node such as `24.21.0`
 */
export function logStart({ config, log }: Pick<Portal, "config" | "log">, node = process.versions.node): void {
  log.info({ version }, "the portal starts");
  if (!config.production || Number.parseInt(node, 10) >= OLDEST_SUPPORTED) return;
  log.warn({ node }, "this Node gets no security fixes any more; the portal runs on Node 24");
}

export async function workOnly(portal: Portal): Promise<void> {
  endOnDefect(portal);
  logStart(portal);
  const loops = [startWorker(portal), startLocalCleanup(portal)];
  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  await Promise.all(loops.map((loop) => loop.stop()));
  await portal.close();
}

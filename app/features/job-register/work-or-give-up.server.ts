import type { Logger } from "pino";
import { isDeadlock } from "~db/connection.server";

/**
 * Performs one piece of a job's work. An error is logged and `giveUp` sets the piece aside, so that others continue.
 * After a lock conflict the piece is left to the next run.
 */
export async function workOrGiveUp(
  log: Logger,
  { what, ...subject }: { what: string; [subject: string]: unknown },
  work: () => Promise<unknown>,
  giveUp: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDeadlock(error)) return log.warn({ err: error, ...subject }, `${what}: locked, left to the next run`);
    log.error({ err: error, ...subject }, what);
    await giveUp();
  }
}

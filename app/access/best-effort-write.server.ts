import type { Portal } from "~/portal.server";

/**
 * A write that only accompanies an answer: when a person was last here, that a message has been shown. On a full disk it fails, and what
 * was asked for is answered all the same.
 */
export async function bestEffortWrite(
  { log }: Pick<Portal, "log">,
  what: string,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    log.warn({ err: error, write: what }, "a write beside the answer failed");
  }
}

import type { Portal } from "~/portal.server";

/**
 * Performs a write that the answer does not depend on, such as a last-active time. The request is still answered if the
 * write fails because the disk is full.
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

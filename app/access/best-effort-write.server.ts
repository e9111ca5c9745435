import type { Portal } from "~/portal.server";

/**
 * A write that the answer does not depend on, such as when a person was last active or that a message was shown. If it fails because the disk is
 * full, the request is still answered.
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

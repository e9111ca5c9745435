import type { Logger } from "pino";
import { StoreUnavailable } from "~/gateways/file-store/port";

/**
 * Performs each piece of work; one that fails is logged and the others continue. A file store that is down ends the
 * run. Throws at the end if one failed, so that the job counts as failed.
 */
export async function eachByItself<T>(
  log: Logger,
  things: Iterable<T>,
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  let failures = 0;
  for (const thing of things) {
    try {
      await work(thing);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      log.error({ err: error }, "a piece of maintenance failed");
      failures += 1;
    }
  }
  if (failures > 0) throw new Error(`${failures} pieces of maintenance failed`);
}

import type { Logger } from "pino";
import { StoreUnavailable } from "~/gateways/file-store/port";

/**
 * Does each piece of work. One that fails is logged and stops no other; while the file store is away all the rest would wait for it in vain, so
 * that ends it. Throws at the end where one failed, so that the register of jobs says so.
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

import type { Logger } from "pino";

/**
 * A lease is renewed after a third of its time, measured by the worker's clock and judged by another machine's. It must
 * outlast that third plus a minute of clock difference. After a kill another process takes over this much later.
 */
export const LEASE_SECONDS = 120;

interface Lease {
  seconds: number;
  renew(): Promise<unknown>;
  log: Logger;
}

/** Renews a lease during slow work, so that a killed process loses it soon and a slow one keeps it. */
export async function withLease<R>({ seconds, renew, log }: Lease, work: () => Promise<R>): Promise<R> {
  const renewing = setInterval(
    () => void renew().catch((error: unknown) => log.error({ err: error }, "lease not renewed")),
    (seconds * 1000) / 3,
  );
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}

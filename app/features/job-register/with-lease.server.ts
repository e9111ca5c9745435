import type { Logger } from "pino";

/**
 * A lease is renewed each third of it by the clock of the machine that works, and judged by the clock of the one that looks: it must
 * outlast a third and the minute by which two machines' clocks may differ. So long after a process was killed another takes over.
 */
export const LEASE_SECONDS = 120;

interface Lease {
  /** How long it lasts from one renewal. */
  seconds: number;
  renew(): Promise<unknown>;
  log: Logger;
}

/** Renews a lease during slow work: a killed process loses it soon, a slow one keeps it. */
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

import type { Logger } from "pino";

interface Lease {
  /** How long it lasts from one renewal. */
  seconds: number;
  renew(): Promise<unknown>;
  log: Logger;
}

/** Renews a lease while something slow goes on: whoever is killed loses it soon, whoever is slow keeps it. */
export async function whileLeased<R>({ seconds, renew, log }: Lease, work: () => Promise<R>): Promise<R> {
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

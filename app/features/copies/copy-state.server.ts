import type { Db } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { isoMoment } from "~/text/dates";
import { findCopyMoment } from "./copy-mark-store.server";

/**
 * Whether nothing may run by itself: this is a copy, and nobody has said yet that it is the portal now. Asked before every message and every
 * job, not remembered: a database may become a copy under a process that runs.
 */
export const isPausedCopy = async (db: Db): Promise<boolean> => (await findCopyMoment(db)) !== null;

/** What `invalidate` takes once the portal is no copy any more. */
export const COPY_MOMENT = "copy moment";

/** When the copy was made that this portal is, ISO in UTC, at most a minute old; null where it is none. */
export function readCopyMoment({ cache, db }: Pick<Portal, "cache" | "db">): Promise<string | null> {
  return cache.get(COPY_MOMENT, async () => {
    const at = await findCopyMoment(db);
    return at === null ? null : isoMoment(at);
  });
}

export { isBackupRunning } from "./copy-mark-store.server";

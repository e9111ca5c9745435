import type { Db } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { isoMoment } from "~/text/dates";
import { findCopyMoment } from "./copy-mark-store.server";

/**
 * Whether this is a copy that has not resumed sending, so that nothing may run by itself. Asked before every message
 * and job, because a database can be restored under a running process.
 */
export const isPausedCopy = async (db: Db): Promise<boolean> => (await findCopyMoment(db)) !== null;

export const COPY_MOMENT = "copy moment";

/** The moment of the copy (ISO, UTC), cached for a minute; null if this is none. */
export function readCopyMoment({ cache, db }: Pick<Portal, "cache" | "db">): Promise<string | null> {
  return cache.get(COPY_MOMENT, async () => {
    const at = await findCopyMoment(db);
    return at === null ? null : isoMoment(at);
  });
}

export { isBackupRunning } from "./copy-mark-store.server";

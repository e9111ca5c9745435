import { z } from "zod";
import { external } from "~/access/operation.server";
import { removeExpiredSessions } from "~/access/sessions.server";
import { removeUnclaimedUploads } from "~/features/images/held-uploads.server";
import { removeAbandonedUploads } from "~/features/images/partial-uploads.server";
import { purgeDeletedDrafts, purgeFiles, removeHalfUploads } from "./purge-files.server";
import { toMoment } from "~/text/dates";

const HELD_HOURS = 24;
const KEY_HOURS = 72;
/** As long as a mass change's notice may stand with its 'Fortryd'. */
const UNDO_HOURS = 24;

/**
 * Clears away what has run out: sessions, throttle counters, idempotency keys, mass changes that can no longer be undone, uploads that no form claimed or that nothing came to in
 * 24 hours, and files and drafts that were deleted FILE_PURGE_DAYS ago.
 */
export const removeExpired = external({
  name: "removeExpired",
  permission: "system",
  input: z.object({}),
  async prepare({ portal, db, now }) {
    const yesterday = new Date(now.getTime() - HELD_HOURS * 3_600_000);
    await removeUnclaimedUploads(db, portal.files, toMoment(yesterday));
    await removeAbandonedUploads({ db, files: portal.files, dataDir: portal.config.dataDir }, yesterday);
    await removeHalfUploads(portal.config.dataDir, yesterday);
    await portal.files.removeAbandoned?.(yesterday);
    await purgeDeletedDrafts(db, hoursBefore(now, portal.config.filePurgeDays * 24), now);
    await purgeFiles(portal, now);
  },
  async run({ tx, now }) {
    await removeExpiredSessions(tx, now);
    await tx.deleteFrom("throttle").where("window_start", "<", hoursBefore(now, 24)).execute();
    await tx.deleteFrom("idempotency").where("created_at", "<", hoursBefore(now, KEY_HOURS)).execute();
    const undoable = hoursBefore(now, UNDO_HOURS);
    await tx.deleteFrom("mass_change_row").where("mass_change_id", "in", tx.selectFrom("mass_change").select("id").where("at", "<", undoable)).execute();
    await tx.deleteFrom("mass_change").where("at", "<", undoable).execute();
    return {};
  },
});

function hoursBefore(now: Date, hours: number): string {
  return toMoment(new Date(now.getTime() - hours * 3_600_000));
}

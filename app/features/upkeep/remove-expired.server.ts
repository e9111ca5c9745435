import { z } from "zod";
import { external } from "~/access/operation.server";
import { removeExpiredSessions } from "~/access/sessions.server";
import { removeUnclaimedUploads } from "~/features/images/held-uploads.server";
import { toMoment } from "~/text/dates";

const HELD_HOURS = 24;
const KEY_HOURS = 72;

/** Clears away what has run out: sessions, throttle counters, idempotency keys, and uploads that no form claimed in 24 hours. */
export const removeExpired = external({
  name: "removeExpired",
  permission: "system",
  input: z.object({}),
  async prepare({ portal, db, now }) {
    await removeUnclaimedUploads(db, portal.files, hoursBefore(now, HELD_HOURS));
  },
  async run({ tx, now }) {
    await removeExpiredSessions(tx, now);
    await tx.deleteFrom("throttle").where("window_start", "<", hoursBefore(now, 24)).execute();
    await tx.deleteFrom("idempotency").where("created_at", "<", hoursBefore(now, KEY_HOURS)).execute();
    return {};
  },
});

function hoursBefore(now: Date, hours: number): string {
  return toMoment(new Date(now.getTime() - hours * 3_600_000));
}

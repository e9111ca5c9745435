import { z } from "zod";
import { subHours } from "date-fns";
import { change } from "~/access/operation.server";
import { removeOldAddresses } from "~/access/known-address-store.server";
import { removeExpiredSessions } from "~/access/sessions.server";
import { toMoment } from "~/text/dates";

const KEY_HOURS = 72;
/** As long as a mass change's notice may stand with its 'Fortryd'. */
const UNDO_HOURS = 24;
const TYPED_DAYS = 30;
/** Far longer than any provider repeats what it tells. */
const EVENT_DAYS = 30;

/**
 * Clears away rows that have run out: sessions, throttle counters, idempotency keys, mass changes that can no longer be undone, forms that
 * were begun and not touched in 30 days, and the receipts of providers.
 */
export const removeExpired = change({
  name: "removeExpired",
  permission: "system",
  input: z.object({}),
  async run({ tx, now }) {
    await removeExpiredSessions(tx, now);
    await removeOldAddresses(tx, now);
    await tx.deleteFrom("throttle").where("window_start", "<", hoursBefore(now, 24)).execute();
    await tx.deleteFrom("idempotency").where("created_at", "<", hoursBefore(now, KEY_HOURS)).execute();
    await tx
      .deleteFrom("autosave")
      .where("modified_at", "<", hoursBefore(now, TYPED_DAYS * 24))
      .execute();
    await tx
      .deleteFrom("delivery_event")
      .where("kind", "!=", "reply")
      .where("received_at", "<", hoursBefore(now, EVENT_DAYS * 24))
      .execute();
    const undoable = hoursBefore(now, UNDO_HOURS);
    await tx
      .deleteFrom("mass_change_row")
      .where("mass_change_id", "in", tx.selectFrom("mass_change").select("id").where("at", "<", undoable))
      .execute();
    await tx.deleteFrom("mass_change").where("at", "<", undoable).execute();
    return {};
  },
});

function hoursBefore(now: Date, hours: number): string {
  return toMoment(subHours(now, hours));
}

import { z } from "zod";
import { subHours } from "date-fns";
import { change } from "~/access/operation.server";
import { removeFormKeys } from "~/access/idempotency-store.server";
import { removeOldAddresses } from "~/access/known-address-store.server";
import { removeExpiredSessions } from "~/access/sessions.server";
import { removeAttempts } from "~/access/throttle-store.server";
import { removeAutosaves, removeMassChanges, removeReceipts } from "./expired-row-store.server";

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
    await removeAttempts(tx, subHours(now, 24));
    await removeFormKeys(tx, subHours(now, KEY_HOURS));
    await removeAutosaves(tx, subHours(now, TYPED_DAYS * 24));
    await removeReceipts(tx, subHours(now, EVENT_DAYS * 24));
    await removeMassChanges(tx, subHours(now, UNDO_HOURS));
    return {};
  },
});

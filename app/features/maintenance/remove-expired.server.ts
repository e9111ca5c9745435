import { subDays } from "date-fns";
import { z } from "zod";
import type { Tx } from "~db/connection.server";
import { removeOldEvents } from "~/access/audit-store.server";
import { removeFormKeys } from "~/access/idempotency-store.server";
import { removeOldAddresses } from "~/access/known-address-store.server";
import { change } from "~/access/operation.server";
import { removeCacheChanges } from "~/cache/cache.server";
import { removeExpiredSessions } from "~/access/sessions.server";
import { removeAttempts } from "~/access/throttle-store.server";
import { removeEdi } from "~/features/edi/remove-edi.server";
import { removeMovedRows } from "~/features/merging/merging.server";
import {
  removeAutosaves,
  removeLetterBatches,
  removeLinks,
  removeMassChanges,
  removeReceipts,
  removeTexts,
} from "./expired-row-store.server";
import { retention, type RetentionKey } from "./retention";

/** Each clears away what was last of use before a moment. */
const removals: Record<RetentionKey, (tx: Tx, before: Date) => Promise<void>> = {
  sessions: removeExpiredSessions,
  attempts: removeAttempts,
  cacheChanges: removeCacheChanges,
  massChanges: removeMassChanges,
  formKeys: removeFormKeys,
  typedForms: removeAutosaves,
  merges: removeMovedRows,
  receipts: removeReceipts,
  networks: removeOldAddresses,
  edi: removeEdi,
  links: removeLinks,
  letterBatches: removeLetterBatches,
  texts: removeTexts,
  audit: removeOldEvents,
};

/** Clears away rows that have run out, each after its days (`retention`). */
export const removeExpired = change({
  name: "removeExpired",
  permission: "system",
  input: z.object({}),
  async run({ tx, now }) {
    for (const key of Object.keys(retention) as RetentionKey[])
      await removals[key](tx, subDays(now, retention[key].days));
    return {};
  },
});

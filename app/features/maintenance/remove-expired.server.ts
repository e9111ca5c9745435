import { subDays } from "date-fns";
import { z } from "zod";
import { inTransaction, type Tx } from "~db/connection.server";
import { removeOldEvents } from "~/access/audit-store.server";
import { removeFormKeys } from "~/access/idempotency-store.server";
import { removeOldAddresses } from "~/access/known-address-store.server";
import { external } from "~/access/operation.server";
import { removeCacheChanges } from "~/cache/cache.server";
import { removeExpiredSessions } from "~/access/sessions.server";
import { removeAttempts } from "~/access/throttle-store.server";
import { removeEdi } from "~/features/edi/remove-edi.server";
import { removeMovedRows } from "~/features/merging/merging.server";
import {
  removeAutosaves,
  removeImportPlans,
  removeLetterBatches,
  removeLinks,
  removeMassChanges,
  removeReceipts,
  removeTexts,
} from "./expired-row-store.server";
import { eachByItself } from "./each-by-itself.server";
import { retention, type RetentionKey } from "./retention";

/** Cleanup tasks; each deletes rows older than its cut-off. */
const removals: Record<RetentionKey, (tx: Tx, before: Date) => Promise<void>> = {
  sessions: removeExpiredSessions,
  attempts: removeAttempts,
  cacheChanges: removeCacheChanges,
  importPlans: removeImportPlans,
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

/**
 * Deletes expired rows, each kind after its days (`retention`) and in its own transaction; one that fails does not stop
 * the others.
 */
export const removeExpired = external({
  name: "removeExpired",
  permission: "system",
  input: z.object({}),
  async prepare({ db, now, portal }) {
    await eachByItself(portal.log, Object.keys(retention) as RetentionKey[], (key) =>
      inTransaction(db, (tx) => removals[key](tx, subDays(now, retention[key].days))),
    );
  },
  run: async () => ({}),
});

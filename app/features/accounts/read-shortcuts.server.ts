import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { hasShortcuts } from "./preference-store.server";

/** Whether the pages listen to keys for this person: until they turn them off in their profile. */
export const shortcutsFor = (db: DbOrTx, person: Person): Promise<boolean> => hasShortcuts(db, person.id);

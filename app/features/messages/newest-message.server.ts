import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { newestChange } from "./message-store.server";

/** Time of a referral's newest message or edit (UTC moment); null if none or out of scope. */
export const newestMessageAt = (db: DbOrTx, actor: Actor, referralId: number) => newestChange(db, actor, referralId);

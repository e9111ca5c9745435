import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { newestChange } from "./message-store.server";

/** When a message was last written or edited at a referral (UTC moment); null where none was, or where the actor does not see it. */
export const newestMessageAt = (db: DbOrTx, actor: Actor, referralId: number) => newestChange(db, actor, referralId);

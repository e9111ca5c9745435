import type { DbOrTx } from "~db/connection.server";
import { findAccount } from "./user-store.server";

/** The number that somebody gets test messages at; null until they have written one. */
export const findOwnMobilePhone = async (db: DbOrTx, userId: number): Promise<string | null> =>
  (await findAccount(db, userId)).mobile_phone;

import type { DbOrTx } from "~db/connection.server";
import { findAccount } from "./user-store.server";

export const findOwnMobilePhone = async (db: DbOrTx, userId: number): Promise<string | null> =>
  (await findAccount(db, userId)).mobile_phone;

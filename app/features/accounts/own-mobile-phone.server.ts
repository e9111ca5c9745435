import type { DbOrTx } from "~db/connection.server";
import { findAccount } from "./store.server";

export const findOwnMobilePhone = async (db: DbOrTx, userId: number): Promise<string | null> =>
  (await findAccount(db, userId)).mobile_phone;

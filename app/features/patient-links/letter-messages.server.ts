import type { DbOrTx } from "~db/connection.server";
import { findLetterMessages } from "./store.server";

/** The newest sent link to each letter's radiographs, with its state. */
export async function newestLetterMessages(db: DbOrTx, referralIds: readonly number[]) {
  const newest = new Map<string, Awaited<ReturnType<typeof findLetterMessages>>[number]>();
  for (const message of await findLetterMessages(db, referralIds)) {
    const key = letterKey(message.referral_id, message.letter_number ?? 0);
    if (!newest.has(key)) newest.set(key, message);
  }
  return newest;
}

export const letterKey = (referralId: number, letterNumber: number) => `${referralId}-${letterNumber}`;

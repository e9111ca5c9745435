import type { DbOrTx, Tx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { findStop, insertStop } from "./sms-stop-store.server";

/** Whether a number (E.164) has answered STOP: it gets no reminders, and everything else as before. */
export const isStopped = async (db: DbOrTx, secrets: Secrets, number: string): Promise<boolean> =>
  (await findStop(db, secrets, number)) !== null;

/** Since when; null where it has not. */
export const stoppedSince = (db: DbOrTx, secrets: Secrets, number: string): Promise<Date | null> =>
  findStop(db, secrets, number);

/** From here on the number gets no reminders. Answers false where that was so before. */
export const stopReminders = (tx: Tx, secrets: Secrets, number: string, now: Date): Promise<boolean> =>
  insertStop(tx, secrets, number, now);

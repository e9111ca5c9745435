import type { DbOrTx, Tx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { findStop, insertStop } from "./sms-stop-store.server";

/** Whether a number (E.164) answered STOP: it gets no reminders, but everything else. */
export const isStopped = async (db: DbOrTx, secrets: Secrets, number: string): Promise<boolean> =>
  (await findStop(db, secrets, number)) !== null;

export const stoppedSince = (db: DbOrTx, secrets: Secrets, number: string): Promise<Date | null> =>
  findStop(db, secrets, number);

/** Stops reminders to a number; false if it was stopped. */
export const stopReminders = (tx: Tx, secrets: Secrets, number: string, now: Date): Promise<boolean> =>
  insertStop(tx, secrets, number, now);

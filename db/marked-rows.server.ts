import type { Db, DbOrTx, Tx } from "./connection.server";

/** Ids of referrals and messages that a transaction has changed; their derived rows are updated before it commits. */
export interface MarkedRows {
  referrals: Set<number>;
  messages: Set<number>;
}

type Follower = (tx: Tx, marked: MarkedRows, now: Date | undefined) => Promise<void>;

const markedIn = new WeakMap<DbOrTx, MarkedRows>();
const followers = new WeakMap<Db, Follower>();

/** Runs `follow` before the commit of every transaction of this database that marked rows. */
export function beforeCommit(db: Db, follow: Follower): void {
  followers.set(db, follow);
}

/**
 * Marks referrals whose statistics have changed; called by the store function that writes them
 * (docs/rules/statistics.md).
 */
export function markReferrals(tx: DbOrTx, ids: readonly number[]): void {
  for (const id of ids) marksOf(tx).referrals.add(id);
}

export function markMessages(tx: DbOrTx, ids: readonly number[]): void {
  for (const id of ids) marksOf(tx).messages.add(id);
}

function marksOf(tx: DbOrTx): MarkedRows {
  if (!tx.isTransaction) throw new Error("What is counted is changed in a transaction, so that its sums follow.");
  const marked = markedIn.get(tx) ?? { referrals: new Set(), messages: new Set() };
  markedIn.set(tx, marked);
  return marked;
}

/** Updates the derived rows of rows that a transaction has marked. */
export async function followMarkedRows(db: Db, tx: Tx, now: Date | undefined): Promise<void> {
  const marked = markedIn.get(tx);
  if (marked) await followers.get(db)?.(tx, marked, now);
}

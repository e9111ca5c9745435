import type { Db, DbOrTx, Tx } from "./connection.server";

/** What a transaction has changed, for what is kept beside it and follows before the commit: the numbers of referrals and of messages. */
export interface MarkedRows {
  referrals: Set<number>;
  messages: Set<number>;
}

type Follower = (tx: Tx, marked: MarkedRows) => Promise<void>;

const markedIn = new WeakMap<DbOrTx, MarkedRows>();
const followers = new WeakMap<Db, Follower>();

/** Has `follow` run at the end of every transaction of this database that marked something, before it commits. */
export function beforeCommit(db: Db, follow: Follower): void {
  followers.set(db, follow);
}

/** Says that what is counted of some referrals has changed: called by the store function that writes it (docs/rules/statistics.md). */
export function markReferrals(tx: DbOrTx, ids: readonly number[]): void {
  for (const id of ids) marksOf(tx).referrals.add(id);
}

/** The same of messages: what became of them is counted with the referral that they are about. */
export function markMessages(tx: DbOrTx, ids: readonly number[]): void {
  for (const id of ids) marksOf(tx).messages.add(id);
}

function marksOf(tx: DbOrTx): MarkedRows {
  if (!tx.isTransaction) throw new Error("What is counted is changed in a transaction, so that its sums follow.");
  const marked = markedIn.get(tx) ?? { referrals: new Set(), messages: new Set() };
  markedIn.set(tx, marked);
  return marked;
}

/** Runs what follows the rows that a transaction has marked. */
export async function followMarkedRows(db: Db, tx: Tx): Promise<void> {
  const marked = markedIn.get(tx);
  if (marked) await followers.get(db)?.(tx, marked);
}

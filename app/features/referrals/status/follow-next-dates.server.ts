import type { DbOrTx, Tx } from "~db/connection.server";
import type { MarkedRows } from "~db/marked-rows.server";
import { findSettings } from "~/features/settings/setting-store.server";
import { type Deadlines, deadlineSetting, openStatuses, STANDARD_DAYS } from "~/features/referrals/model/deadlines";
import { nextDateOf } from "~/features/referrals/model/next-date.server";
import { lockDated, saveNextDate } from "~/features/referrals/store/next-date-store.server";

const BATCH_SIZE = 200;

async function readDeadlines(db: DbOrTx): Promise<Deadlines> {
  const saved = await findSettings(
    db,
    openStatuses.map(({ value }) => deadlineSetting(value)),
  );
  const days = openStatuses.map(({ value }) => [
    value,
    Number(saved.get(deadlineSetting(value)) || STANDARD_DAYS[value]),
  ]);
  return Object.fromEntries(days) as Deadlines;
}

/**
 * Writes the next dates of referrals that a transaction has changed, before it commits. So no store function that sets
 * a status, a hold or an operation has to know of them; changed settings mark all referrals, some at a time.
 */
export async function followNextDates(tx: Tx, { referrals }: MarkedRows): Promise<void> {
  if (referrals.size === 0) return;
  const ids = [...referrals].sort((a, b) => a - b);
  const deadlines = await readDeadlines(tx);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const changed = new Map<string, number[]>();
    for (const row of await lockDated(tx, ids.slice(start, start + BATCH_SIZE))) {
      const day = nextDateOf(row, deadlines);
      if (day !== row.next_due_on) changed.set(day, [...(changed.get(day) ?? []), row.id]);
    }
    for (const [day, of] of changed) await saveNextDate(tx, of, day);
  }
}

import type { DbOrTx, Tx } from "~db/connection.server";
import type { MarkedRows } from "~db/marked-rows.server";
import { findSettings } from "~/features/settings/setting-store.server";
import { type Deadlines, deadlineSetting, openStatuses, STANDARD_DAYS } from "~/features/referrals/model/deadlines";
import { nextDateOf } from "~/features/referrals/model/next-date.server";
import {
  findOpenSilences,
  lockDated,
  saveNextDate,
  saveSilences,
} from "~/features/referrals/store/next-date-store.server";
import { addDays } from "~/text/calendar";

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
 * Writes the next dates of referrals that a transaction has changed, before it commits, and the silences that this ends
 * on `today`. So no store function that sets a status, a hold or an operation has to know of them; changed settings mark
 * all referrals, some at a time.
 */
export async function followNextDates(tx: Tx, { referrals }: MarkedRows, today: string): Promise<void> {
  if (referrals.size === 0) return;
  const ids = [...referrals].sort((a, b) => a - b);
  const deadlines = await readDeadlines(tx);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const moved: Moved[] = [];
    for (const row of await lockDated(tx, ids.slice(start, start + BATCH_SIZE))) {
      const day = nextDateOf(row, deadlines);
      if (day !== row.next_due_on) moved.push({ id: row.id, from: row.next_due_on, to: day });
    }
    await followSilence(tx, moved, today);
    for (const day of new Set(moved.map(({ to }) => to)))
      await saveNextDate(
        tx,
        moved.filter(({ to }) => to === day).map(({ id }) => id),
        day,
      );
  }
}

interface Moved {
  id: number;
  from: string;
  to: string;
}

/**
 * Writes each silence when it ends. A silence that begins because a hold was lifted or the settings changed is written
 * when it begins, since the next date does not tell its first day.
 */
async function followSilence(tx: Tx, moved: readonly Moved[], today: string): Promise<void> {
  const concerned = moved.filter(({ from, to }) => from < today || to < today);
  const open = await findOpenSilences(
    tx,
    concerned.map(({ id }) => id),
  );
  const spells = concerned.map(({ id, from, to }) => ({
    referral_id: id,
    from_day: open.get(id) ?? (from < today ? addDays(from, 1) : today),
    until_day: to < today ? null : today,
  }));
  await saveSilences(tx, spells);
}

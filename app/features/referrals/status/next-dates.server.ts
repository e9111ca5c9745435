import { z } from "zod";
import { read, wholeNumber } from "~/access/operation.server";
import { knownNextDate, visibleStatus } from "../model/status";
import {
  findLastSigns,
  countSilent,
  findSilent,
  findOpenSilences,
  findUrgencyCountsFrom,
  lockDated,
  saveNextDate,
  saveSilences,
} from "../store/next-date-store.server";
import { findReferral } from "../store/referral-store.server";
import { MAX_PAGE_SIZE } from "~/lists/list";
import { localDate } from "~/text/dates";
import { type DbOrTx, type Tx, idsOf } from "~db/connection.server";
import type { MarkedRows } from "~db/marked-rows.server";
import { readOpeningHours } from "~/features/opening-hours/read-opening-hours.server";
import { findSettings } from "~/features/settings/setting-store.server";
import {
  type Deadlines,
  deadlineSetting,
  openStatuses,
  STANDARD_DEADLINES,
  urgentDeadlineSetting,
} from "../model/deadlines";
import { nextDateOf } from "../model/next-date.server";
import { addDays } from "~/text/calendar";

/** A silent referral is past its next date, so that it has been silent since that day. */
const silentSince = (nextDate: string | null, today: string) =>
  nextDate !== null && nextDate < today ? nextDate : null;

/** By when something must happen with a referral, and what happened last (GET /next/Visits/{id}). Throws `notInScope`. */
export const readNextDate = read({
  name: "readNextDate",
  permission: "referral.read",
  input: z.object({ referralId: wholeNumber.positive() }),
  async run({ db, actor, now, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    auditRead([row.id]);
    const nextDate = knownNextDate(row, actor);
    return {
      id: row.id,
      status: visibleStatus(row.status, actor),
      nextDate,
      silentSince: silentSince(nextDate, localDate(now)),
      lastSign: (await findLastSigns(db, actor, [row])).get(row.id) ?? null,
    };
  },
});

/** Silent referrals in scope, the longest silent first (GET /next/Visits/silent). */
export const listSilentReferrals = read({
  name: "listSilentReferrals",
  permission: "referral.read",
  input: z.object({
    page: z.number().int().positive().default(1),
    pageSize: z.number().int().positive().max(MAX_PAGE_SIZE).default(20),
  }),
  async run({ db, actor, now, auditRead }, { page, pageSize }) {
    const today = localDate(now);
    const rows = await findSilent(db, actor, today, { offset: (page - 1) * pageSize, limit: pageSize });
    auditRead(idsOf(rows));
    const lastSigns = await findLastSigns(db, actor, rows);
    return {
      total: await countSilent(db, actor, today),
      rows: rows.map((row) => ({
        id: row.id,
        status: visibleStatus(row.status, actor),
        clinicId: row.clinicId,
        silentSince: row.nextDueOn,
        lastSign: lastSigns.get(row.id) ?? null,
      })),
    };
  },
});

/** How many there are (GET /next/Visits/silent/count). */
export const countSilentReferrals = read({
  name: "countSilentReferrals",
  permission: "referral.read",
  run: async ({ db, actor, now }) => ({ count: await countSilent(db, actor, localDate(now)) }),
});

const BATCH_SIZE = 200;

async function readDeadlines(db: DbOrTx): Promise<Deadlines> {
  const saved = await findSettings(
    db,
    openStatuses.flatMap(({ value }) => [deadlineSetting(value), urgentDeadlineSetting(value)]),
  );
  const daysOf = (setting: (status: number) => string, standard: Deadlines["ordinary"]) =>
    Object.fromEntries(openStatuses.map(({ value }) => [value, Number(saved.get(setting(value)) || standard[value])]));
  return {
    ordinary: daysOf(deadlineSetting, STANDARD_DEADLINES.ordinary),
    urgent: daysOf(urgentDeadlineSetting, STANDARD_DEADLINES.urgent),
    urgencyCountsFrom: await findUrgencyCountsFrom(db),
    closedDays: (await readOpeningHours(db)).closedDays,
  };
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
      if (day !== row.nextDueOn) moved.push({ id: row.id, from: row.nextDueOn, to: day });
    }
    await followSilence(tx, moved, today);
    for (const day of new Set(moved.map(({ to }) => to)))
      await saveNextDate(tx, idsOf(moved.filter(({ to }) => to === day)), day);
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
  const open = await findOpenSilences(tx, idsOf(concerned));
  const spells = concerned.map(({ id, from, to }) => ({
    referralId: id,
    fromDay: open.get(id) ?? (from < today ? addDays(from, 1) : today),
    untilDay: to < today ? null : today,
  }));
  await saveSilences(tx, spells);
}

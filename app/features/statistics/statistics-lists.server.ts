import type { DbOrTx } from "~db/connection.server";
import { countSentBy, findAllTypes, findNames, rank } from "./store.server";
import type { Period } from "./period";

export interface Page {
  offset: number;
  limit: number;
}

/** More rows than any list has. */
export const EVERYTHING: Page = { offset: 0, limit: 1_000_000 };

export interface OperationRow {
  place: number;
  treatmentType: string | null;
  count: number;
  referrer: string | null;
  clinic: string | null;
  lastDay: string;
}

/** Treatments by type, referrer and clinic, most frequent first. */
export async function listOperations(db: DbOrTx, period: Period, page: Page) {
  const dimensions = ["treatment_type_id", "referrer_id", "clinic_id"] as const;
  const { rows, groupCount } = await rank(db, "operation", [...dimensions], period, page);
  const types = new Map((await findAllTypes(db)).map(({ id, name }) => [id, name]));
  const names = await namesOf(db, rows);
  return {
    groupCount,
    rows: rows.map((row, index): OperationRow => ({
      place: page.offset + index + 1,
      treatmentType: types.get(row.treatment_type_id) ?? null,
      count: row.n,
      referrer: names.referrers.get(row.referrer_id) ?? null,
      clinic: names.clinics.get(row.clinic_id) ?? null,
      lastDay: row.lastDay,
    })),
  };
}

export interface RankedReferrer {
  /** Referrer id; 0 without one. */
  id: number;
  place: number;
  referrer: string | null;
  clinics: string[];
  count: number;
  lastDay: string;
  /** Counts in the order of the types. */
  countsByType: number[];
}

/** Referrers by number of referrals, most first. */
export async function rankReferrers(db: DbOrTx, period: Period, page: Page) {
  const { rows, groupCount } = await rank(db, "sentBy", ["referrer_id"], period, page);
  const sent = await countSentBy(db, page === EVERYTHING ? null : rows.map((row) => row.referrer_id), period);
  const used = new Set(sent.map((row) => row.treatment_type_id));
  const types = (await findAllTypes(db)).filter(({ id, deleted_at: deletedAt }) => deletedAt === null || used.has(id));
  const names = await namesOf(db, sent);
  const byReferrer = new Map<number, typeof sent>();
  for (const row of sent) byReferrer.set(row.referrer_id, [...(byReferrer.get(row.referrer_id) ?? []), row]);
  const sumBy = <K extends "clinic_id" | "treatment_type_id">(id: number, key: K) => {
    const sums = new Map<number, number>();
    for (const row of byReferrer.get(id) ?? []) sums.set(row[key], (sums.get(row[key]) ?? 0) + row.n);
    return sums;
  };
  return {
    groupCount,
    types: types.map(({ id, name }) => ({ id, name })),
    rows: rows.map((row, index): RankedReferrer => {
      const counts = sumBy(row.referrer_id, "treatment_type_id");
      const clinics = [...sumBy(row.referrer_id, "clinic_id")].sort(([, a], [, b]) => b - a);
      return {
        id: row.referrer_id,
        place: page.offset + index + 1,
        referrer: names.referrers.get(row.referrer_id) ?? null,
        clinics: clinics.flatMap(([id]) => names.clinics.get(id) ?? []),
        count: row.n,
        lastDay: row.lastDay,
        countsByType: types.map(({ id }) => counts.get(id) ?? 0),
      };
    }),
  };
}

const namesOf = (db: DbOrTx, rows: { referrer_id: number; clinic_id: number }[]) =>
  findNames(db, { referrers: rows.map((row) => row.referrer_id), clinics: rows.map((row) => row.clinic_id) });

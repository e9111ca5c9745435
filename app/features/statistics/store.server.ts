import { sql } from "kysely";
import type { Role } from "~/access/actor";
import { UNKNOWN_TREATMENT } from "~/features/referrals/model/referral";
import { addDays } from "~/text/calendar";
import { fullName } from "~/text/names";
import { type DbOrTx, type Tx, insertOrChange } from "~db/connection.server";
import { nextMonth, type Period, type Piece, piecesOf } from "./period";
import type { Measure } from "./sums/contribution";

const pieceOf = (db: DbOrTx, measures: Measure[], { grain, from, to }: Piece) =>
  db
    .selectFrom("statisticsSum")
    .select(["measure", "start", "bucket", "referrerId", "clinicId", "treatmentTypeId", "n"])
    .where("measure", "in", measures)
    .where("grain", "=", grain)
    .where("start", ">=", from)
    .where("start", "<=", to)
    .where("n", "!=", 0);

function sumsIn(db: DbOrTx, measures: Measure[], period: Period) {
  const [first, ...more] = piecesOf(period).map((piece) => pieceOf(db, measures, piece));
  return db.selectFrom(more.reduce((all, piece) => all.unionAll(piece), first!).as("sums"));
}

export async function countByMonth(db: DbOrTx, measures: Measure[], period: Period) {
  const rows = await sumsIn(db, measures, period)
    .select((eb) => [
      "measure",
      "bucket",
      eb.fn<string>("substr", ["start", eb.lit(1), eb.lit(7)]).as("month"),
      eb.fn.sum<number>("n").as("n"),
    ])
    .groupBy(["measure", "bucket", "month"])
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Waits by days, measure and month. The bucket's first digit, the urgency, is dropped. */
export async function countWaitsByMonth(db: DbOrTx, measures: Measure[], period: Period) {
  const rows = await sumsIn(db, measures, period)
    .select((eb) => [
      "measure",
      eb.fn<string>("substr", ["bucket", eb.lit(3)]).as("days"),
      eb.fn<string>("substr", ["start", eb.lit(1), eb.lit(7)]).as("month"),
      eb.fn.sum<number>("n").as("n"),
    ])
    .groupBy(["measure", "days", "month"])
    .execute();
  return rows.map((row) => ({ ...row, days: Number(row.days), n: Number(row.n) }));
}

export async function countByBucket(db: DbOrTx, measure: Measure, period: Period): Promise<Map<string, number>> {
  if (period.from > period.to) return new Map();
  const rows = await sumsIn(db, [measure], period)
    .select((eb) => ["bucket", eb.fn.sum<number>("n").as("n")])
    .groupBy("bucket")
    .execute();
  return new Map(rows.map(({ bucket, n }) => [bucket, Number(n)]));
}

export const EVER = "2000-01-01";

export async function countByDay(db: DbOrTx, measure: Measure, { from, to }: Period): Promise<Map<string, number>> {
  const rows = await pieceOf(db, [measure], { grain: "D", from, to }).execute();
  return new Map(rows.map(({ start, bucket, n }) => [`${start} ${bucket}`, n]));
}

export async function countByClinic(db: DbOrTx, measure: Measure, period: Period) {
  const rows = await sumsIn(db, [measure], period)
    .select((eb) => ["clinicId as clinicId", "bucket", eb.fn.sum<number>("n").as("n")])
    .groupBy(["clinicId", "bucket"])
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

type Dimension = "referrerId" | "clinicId" | "treatmentTypeId";
type Keyed = Record<Dimension, number>;

interface Ranked extends Keyed {
  n: number;
  lastDay: string;
}

/** Ranks by frequency with the total number, within the treatment type of that id if given. Dimensions not asked for are 0. */
export async function rank(
  db: DbOrTx,
  measure: Measure,
  dimensions: Dimension[],
  period: Period,
  { offset, limit }: { offset: number; limit: number },
  within: number | null = null,
): Promise<{ rows: Ranked[]; groupCount: number }> {
  const ranked = sumsIn(db, [measure], period)
    .$if(within !== null, (query) => query.where("treatmentTypeId", "=", within))
    .select(dimensions)
    .select((eb) => [
      eb.fn.sum<number>("n").as("count"),
      eb.fn.max("start").as("last"),
      eb.fn
        .agg<number>("count", [eb.lit(1)])
        .over()
        .as("groups"),
    ])
    .groupBy(dimensions)
    .orderBy("count", "desc");
  const found = await dimensions
    .reduce((query, dimension) => query.orderBy(dimension), ranked)
    .offset(offset)
    .limit(limit)
    .execute();
  const none = { referrerId: 0, clinicId: 0, treatmentTypeId: 0 };
  const rows = found.map((row) => ({ ...none, ...(row as Partial<Keyed>), last: row.last, n: Number(row.count) }));
  const lastDays = await findLastDays(db, measure, rows, period);
  return {
    groupCount: Number(found[0]?.groups ?? 0),
    rows: rows.map(({ referrerId, clinicId, treatmentTypeId, n, last }, index) => ({
      referrerId,
      clinicId,
      treatmentTypeId,
      n,
      lastDay: lastDays.get(index) ?? last,
    })),
  };
}

const MAX_SELECTS = 100;

async function findLastDays(
  db: DbOrTx,
  measure: Measure,
  rows: (Keyed & { last: string })[],
  { to }: Period,
): Promise<Map<number, string>> {
  const days = new Map<number, string>();
  for (let start = 0; start < rows.length; start += MAX_SELECTS) {
    const [first, ...more] = rows.slice(start, start + MAX_SELECTS).map((row, index) => {
      const monthEnd = addDays(nextMonth(row.last), -1);
      return db
        .selectFrom("statisticsSum")
        .select((eb) => [eb.lit(start + index).as("row"), eb.fn.max("start").as("day")])
        .where("measure", "=", measure)
        .where("referrerId", "=", row.referrerId)
        .where("clinicId", "=", row.clinicId)
        .where("treatmentTypeId", "=", row.treatmentTypeId)
        .where("grain", "=", "D")
        .where("start", ">=", row.last)
        .where("start", "<=", monthEnd < to ? monthEnd : to)
        .where("n", ">", 0);
    });
    for (const { row, day } of await more.reduce((all, one) => all.unionAll(one), first!).execute())
      if (day !== null) days.set(Number(row), day);
  }
  return days;
}

export async function countSentBy(db: DbOrTx, referrerIds: number[] | null, period: Period) {
  if (referrerIds?.length === 0) return [];
  const rows = await sumsIn(db, ["sent"], period)
    .select((eb) => ["referrerId", "clinicId", "treatmentTypeId", eb.fn.sum<number>("n").as("n")])
    .$if(referrerIds !== null, (query) => query.where("referrerId", "in", referrerIds!))
    .groupBy(["referrerId", "clinicId", "treatmentTypeId"])
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

export async function countTypes(db: DbOrTx, measure: Measure, period: Period) {
  const rows = await sumsIn(db, [measure], period)
    .select((eb) => ["treatmentTypeId as id", eb.fn.sum<number>("n").as("n")])
    .groupBy("treatmentTypeId")
    .orderBy("n", "desc")
    .orderBy("treatmentTypeId")
    .execute();
  return rows.map(({ id, n }) => ({ id, n: Number(n) }));
}

export async function findNames(
  db: DbOrTx,
  ids: { referrers: number[]; clinics: number[] },
): Promise<{ referrers: Map<number, string>; clinics: Map<number, string> }> {
  const users = await among(ids.referrers, (some) =>
    db.selectFrom("user").select(["id", "firstName", "lastName"]).where("id", "in", some).execute(),
  );
  const clinics = await among(ids.clinics, (some) =>
    db.selectFrom("clinic").select(["id", "name"]).where("id", "in", some).execute(),
  );
  return {
    referrers: new Map(users.map((row) => [row.id, fullName(row)])),
    clinics: new Map(clinics.map((row) => [row.id, row.name])),
  };
}

const BATCH_SIZE = 1000;

async function among<R>(ids: number[], find: (some: number[]) => Promise<R[]>): Promise<R[]> {
  const each = [...new Set(ids)];
  const found: R[] = [];
  for (let start = 0; start < each.length; start += BATCH_SIZE)
    found.push(...(await find(each.slice(start, start + BATCH_SIZE))));
  return found;
}

export function findAllTypes(db: DbOrTx) {
  return db
    .selectFrom("treatmentType")
    .select(["id", "name", "deletedAt"])
    .where("id", "!=", UNKNOWN_TREATMENT)
    .orderBy("nameSort")
    .orderBy("id")
    .execute();
}

export interface PageView {
  day: string;
  page: string;
  role: Role;
  n: number;
}

/** Adds to the counters in key order, which avoids deadlocks. */
export async function addPageViews(tx: Tx, views: PageView[]): Promise<void> {
  const rows = [...views].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await insertOrChange(tx, "pageView", rows, ["day", "page", "role"], (given) => ({
    n: sql`page_view.n + ${given("n")}`,
  }));
}

const keyOf = ({ day, page, role }: PageView) => JSON.stringify([day, page, role]);

export async function countPageViews(db: DbOrTx, { from, to }: Period): Promise<Omit<PageView, "day">[]> {
  const rows = await db
    .selectFrom("pageView")
    .select((eb) => ["page", eb.ref("role").$castTo<Role>().as("role"), eb.fn.sum<number>("n").as("n")])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy(["page", "role"])
    .orderBy("page")
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

import { type InferResult, sql } from "kysely";
import { type DbOrTx, forUpdate, isMysql, type Tx, insertOrChange, referralIdsOf, idsOf } from "~db/connection.server";
import { startsOf } from "../period";
import type { CountedReferral, Entry } from "./contribution";

const stateOf = (db: DbOrTx, name: "generation" | "nextReferral" | "silenceKnownFrom") =>
  db.selectFrom("statisticsState").select("value").where("name", "=", name);

/** The current count's generation, locked so that no new one begins until the transaction ends. */
export async function holdGeneration(tx: Tx): Promise<number> {
  const state = stateOf(tx, "generation");
  // MariaDB has no `for share`.
  const query = isMysql(tx) ? state.modifyEnd(sql`lock in share mode`) : state;
  return (await query.executeTakeFirstOrThrow()).value;
}

export async function lockContributions(tx: Tx, ids: number[], generation: number): Promise<Map<number, Entry[]>> {
  const rows = ids.map((id) => ({ referralId: id, generation, entries: "[]" }));
  // `insert ignore` would leave a shared lock and deadlock concurrent writers.
  await insertOrChange(tx, "statisticsContribution", rows, ["referralId"], () => ({
    referralId: sql.ref("statisticsContribution.referralId"),
  }));
  const found = await tx.selectFrom("statisticsContribution").selectAll().where("referralId", "in", ids).execute();
  return new Map(
    found.map((row) => [
      row.referralId,
      row.generation === generation ? (JSON.parse(row.entries) as Packed[]).map(unpack) : [],
    ]),
  );
}

/** Stores new contributions; their rows exist since `lockContributions`. */
export async function saveContributions(tx: Tx, generation: number, changed: Map<number, Entry[]>): Promise<void> {
  if (changed.size === 0) return;
  const rows = [...changed].map(([id, entries]) => {
    return { referralId: id, generation, entries: JSON.stringify(entries.map(pack)) };
  });
  await insertOrChange(tx, "statisticsContribution", rows, ["referralId"], (given) => ({
    generation,
    entries: given("entries"),
  }));
}

type Packed = [Entry["measure"], string, string, number, number, number];
const pack = (entry: Entry): Packed => [
  entry.measure,
  entry.day,
  entry.bucket,
  entry.referrerId,
  entry.clinicId,
  entry.treatmentTypeId,
];
const unpack = ([measure, day, bucket, referrerId, clinicId, treatmentTypeId]: Packed): Entry => ({
  measure,
  day,
  bucket,
  referrerId,
  clinicId,
  treatmentTypeId,
});

const BATCH_SIZE = 200;

/** Adds to the sums at the end of the transaction, always in the same order, so that transactions cannot deadlock. */
export async function addToSums(tx: Tx, changes: { entry: Entry; by: number }[]): Promise<void> {
  const rows = netChanges(changes)
    .flatMap(({ entry, by }) =>
      startsOf(entry.day).map((span) => ({
        measure: entry.measure,
        ...span,
        bucket: entry.bucket,
        referrerId: entry.referrerId,
        clinicId: entry.clinicId,
        treatmentTypeId: entry.treatmentTypeId,
        n: by,
      })),
    )
    .map((row) => ({ row, key: JSON.stringify(Object.values({ ...row, n: 0 })) }));
  const summed = new Map<string, (typeof rows)[number]["row"]>();
  for (const { row, key } of rows) summed.set(key, { ...row, n: row.n + (summed.get(key)?.n ?? 0) });
  const sorted = [...summed]
    .filter(([, { n }]) => n !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
  for (let start = 0; start < sorted.length; start += BATCH_SIZE) {
    await insertOrChange(
      tx,
      "statisticsSum",
      sorted.slice(start, start + BATCH_SIZE),
      ["measure", "grain", "start", "bucket", "referrerId", "clinicId", "treatmentTypeId"],
      (given) => ({ n: sql`statistics_sum.n + ${given("n")}` }),
    );
  }
}

/** Most of what a referral added it adds still: only what differs is spread over days, thirds and months. */
function netChanges(changes: { entry: Entry; by: number }[]): { entry: Entry; by: number }[] {
  const net = new Map<string, { entry: Entry; by: number }>();
  for (const { entry, by } of changes) {
    const key = pack(entry).join("\n");
    const known = net.get(key);
    if (known) known.by += by;
    else net.set(key, { entry, by });
  }
  return [...net.values()].filter(({ by }) => by !== 0);
}

export async function findReferralsOfMessages(tx: Tx, messageIds: number[]): Promise<number[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx.selectFrom("outbox").select("referralId").distinct().where("id", "in", messageIds).execute();
  return referralIdsOf(rows);
}

const counted = (tx: Tx, ids: number[]) =>
  tx
    .selectFrom("referral")
    .select([
      "id",
      "sentAt",
      "deletedAt",
      "isTest",
      "createDate",
      "referenceType",
      "referrerId",
      "clinicId",
      "treatmentTypeId",
      "status",
      "statusSince",
      "operationDate",
      "cancellationDate",
      "nextDueOn",
    ])
    .where("id", "in", ids);

const SETTLED: ReadonlySet<string> = new Set(["sent", "failed", "unknown"]);

/**
 * Data of referrals that count, by id. Filtered here instead of in SQL: with many ids SQLite would prefer another
 * condition's index and read every row of it.
 */
export async function findCounted(tx: Tx, among: number[]): Promise<Map<number, CountedReferral>> {
  const referrals = (await counted(tx, among).execute()).filter(
    (row) => row.sentAt !== null && row.deletedAt === null && !row.isTest,
  );
  if (referrals.length === 0) return new Map();
  const ids = idsOf(referrals);
  const lines = await tx
    .selectFrom("visitAppointment")
    .select(["referralId", "date", "treatmentTypeId", "isCancelled"])
    .where("referralId", "in", ids)
    .execute();
  const log = await tx
    .selectFrom("visitLog")
    .select(["referralId", "at", "status"])
    .where("referralId", "in", ids)
    .orderBy("referralId")
    .orderBy("id")
    .execute();
  const answers = await tx
    .selectFrom("appointmentAnswer")
    .select(["referralId", "at", "answer", "undoneAt"])
    .where("referralId", "in", ids)
    .execute();
  const cancellations = answers.filter((row) => row.answer === "cancelled" && row.undoneAt === null);
  const sendings = await tx
    .selectFrom("outbox")
    .select(["referralId", "channel", "outcome", "code", "settledAt as at"])
    .where("referralId", "in", ids)
    .execute();
  const messages = sendings.flatMap(({ at, ...row }) =>
    at !== null && SETTLED.has(row.outcome) ? { ...row, at } : [],
  );
  const silences = await tx
    .selectFrom("silence")
    .select(["referralId", "fromDay as from", "untilDay as until"])
    .where("referralId", "in", ids)
    .orderBy("referralId")
    .orderBy("fromDay")
    .execute();
  const requests = await tx
    .selectFrom("materialRequest as request")
    .innerJoin("materialLine as line", "line.requestId", "request.id")
    .select(["request.referralId", "request.requestedAt as at", "line.kind", "line.answer"])
    .where("request.referralId", "in", ids)
    .execute();
  const material = requests.filter((row) => row.answer !== "withdrawn");
  const [linesOf, logOf, cancellationsOf, messagesOf, silencesOf, materialOf] = [
    byReferral(lines),
    byReferral(log),
    byReferral(cancellations),
    byReferral(messages),
    byReferral(silences),
    byReferral(material),
  ];
  return new Map(
    referrals.map((row: InferResult<ReturnType<typeof counted>>[number]) => [
      row.id,
      {
        sentAt: row.sentAt!,
        urgency: row.referenceType,
        referrerId: row.referrerId,
        clinicId: row.clinicId,
        treatmentTypeId: row.treatmentTypeId,
        status: row.status,
        statusSince: row.statusSince ?? row.createDate,
        operationDate: row.operationDate,
        isCancelled: row.cancellationDate !== null,
        lines: linesOf(row.id).map((line) => ({
          date: line.date,
          treatmentTypeId: line.treatmentTypeId,
          isCancelled: line.isCancelled,
        })),
        log: logOf(row.id).flatMap(({ at, status }) => (status === null ? [] : { at, status })),
        cancellations: cancellationsOf(row.id).map(({ at }) => at),
        messages: messagesOf(row.id),
        nextDueOn: row.nextDueOn,
        silences: silencesOf(row.id),
        material: materialOf(row.id),
      },
    ]),
  );
}

function byReferral<R extends { referralId: number | null }>(rows: R[]): (id: number) => R[] {
  const grouped = new Map<number | null, R[]>();
  for (const row of rows) {
    const group = grouped.get(row.referralId);
    if (group) group.push(row);
    else grouped.set(row.referralId, [row]);
  }
  return (id) => grouped.get(id) ?? [];
}

/** The day from which silences are known; null for a portal that has known them from its first day. */
export async function findSilenceKnownFrom(db: DbOrTx): Promise<string | null> {
  const day = String((await stateOf(db, "silenceKnownFrom").executeTakeFirstOrThrow()).value);
  return day === "0" ? null : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}

export async function findNextReferral(db: DbOrTx): Promise<number> {
  return (await stateOf(db, "nextReferral").executeTakeFirstOrThrow()).value;
}

export async function lockNextReferral(tx: Tx): Promise<number> {
  return (await forUpdate(tx, stateOf(tx, "nextReferral")).executeTakeFirstOrThrow()).value;
}

export async function saveNextReferral(tx: Tx, id: number): Promise<void> {
  await saveState(tx, "nextReferral", id);
}

/** Clears the sums and voids all contributions. Waits for pending changes. */
export async function beginGeneration(tx: Tx): Promise<void> {
  const { value } = await forUpdate(tx, stateOf(tx, "generation")).executeTakeFirstOrThrow();
  await saveState(tx, "generation", value + 1);
  await tx.deleteFrom("statisticsSum").execute();
}

export async function findReferralIds(tx: Tx, from: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("referral")
    .select("id")
    .where("id", ">=", from)
    .orderBy("id")
    .limit(limit)
    .execute();
  return idsOf(rows);
}

async function saveState(tx: Tx, name: "generation" | "nextReferral", value: number): Promise<void> {
  await tx.updateTable("statisticsState").set({ value }).where("name", "=", name).execute();
}

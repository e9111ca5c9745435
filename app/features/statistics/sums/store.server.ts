import { type InferResult, sql } from "kysely";
import { type DbOrTx, forUpdate, isMysql, type Tx, insertOrChange, referralIdsOf, idsOf } from "~db/connection.server";
import { startsOf } from "../period";
import type { CountedReferral, Entry } from "./contribution";

const stateOf = (db: DbOrTx, name: "generation" | "nextReferral" | "silenceKnownFrom") =>
  db.selectFrom("statistics_state").select("value").where("name", "=", name);

/** The current count's generation, locked so that no new one begins until the transaction ends. */
export async function holdGeneration(tx: Tx): Promise<number> {
  const state = stateOf(tx, "generation");
  // MariaDB has no `for share`.
  const query = isMysql(tx) ? state.modifyEnd(sql`lock in share mode`) : state;
  return (await query.executeTakeFirstOrThrow()).value;
}

export async function lockContributions(tx: Tx, ids: number[], generation: number): Promise<Map<number, Entry[]>> {
  const rows = ids.map((id) => ({ referral_id: id, generation, entries: "[]" }));
  // `insert ignore` would leave a shared lock and deadlock concurrent writers.
  await insertOrChange(tx, "statistics_contribution", rows, ["referral_id"], () => ({
    referral_id: sql.ref("statistics_contribution.referral_id"),
  }));
  const found = await tx.selectFrom("statistics_contribution").selectAll().where("referral_id", "in", ids).execute();
  return new Map(
    found.map((row) => [
      row.referral_id,
      row.generation === generation ? (JSON.parse(row.entries) as Packed[]).map(unpack) : [],
    ]),
  );
}

/** Stores new contributions; their rows exist since `lockContributions`. */
export async function saveContributions(tx: Tx, generation: number, changed: Map<number, Entry[]>): Promise<void> {
  if (changed.size === 0) return;
  const rows = [...changed].map(([id, entries]) => {
    return { referral_id: id, generation, entries: JSON.stringify(entries.map(pack)) };
  });
  await insertOrChange(tx, "statistics_contribution", rows, ["referral_id"], (given) => ({
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
        referrer_id: entry.referrerId,
        clinic_id: entry.clinicId,
        treatment_type_id: entry.treatmentTypeId,
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
      "statistics_sum",
      sorted.slice(start, start + BATCH_SIZE),
      ["measure", "grain", "start", "bucket", "referrer_id", "clinic_id", "treatment_type_id"],
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
  const rows = await tx.selectFrom("outbox").select("referral_id").distinct().where("id", "in", messageIds).execute();
  return referralIdsOf(rows);
}

const counted = (tx: Tx, ids: number[]) =>
  tx
    .selectFrom("referral")
    .select([
      "id",
      "sent_at",
      "deleted_at",
      "is_test",
      "create_date",
      "reference_type",
      "referrer_id",
      "clinic_id",
      "treatment_type_id",
      "status",
      "status_since",
      "operation_date",
      "cancellation_date",
      "next_due_on",
    ])
    .where("id", "in", ids);

const SETTLED: ReadonlySet<string> = new Set(["sent", "failed", "unknown"]);

/**
 * Data of referrals that count, by id. Filtered here instead of in SQL: with many ids SQLite would prefer another
 * condition's index and read every row of it.
 */
export async function findCounted(tx: Tx, among: number[]): Promise<Map<number, CountedReferral>> {
  const referrals = (await counted(tx, among).execute()).filter(
    (row) => row.sent_at !== null && row.deleted_at === null && row.is_test === 0,
  );
  if (referrals.length === 0) return new Map();
  const ids = idsOf(referrals);
  const lines = await tx
    .selectFrom("visit_appointment")
    .select(["referral_id", "date", "treatment_type_id", "is_cancelled"])
    .where("referral_id", "in", ids)
    .execute();
  const log = await tx
    .selectFrom("visit_log")
    .select(["referral_id", "at", "status"])
    .where("referral_id", "in", ids)
    .orderBy("referral_id")
    .orderBy("id")
    .execute();
  const answers = await tx
    .selectFrom("appointment_answer")
    .select(["referral_id", "at", "answer", "undone_at"])
    .where("referral_id", "in", ids)
    .execute();
  const cancellations = answers.filter((row) => row.answer === "cancelled" && row.undone_at === null);
  const sendings = await tx
    .selectFrom("outbox")
    .select(["referral_id", "channel", "outcome", "code", "settled_at as at"])
    .where("referral_id", "in", ids)
    .execute();
  const messages = sendings.flatMap(({ at, ...row }) =>
    at !== null && SETTLED.has(row.outcome) ? { ...row, at } : [],
  );
  const silences = await tx
    .selectFrom("silence")
    .select(["referral_id", "from_day as from", "until_day as until"])
    .where("referral_id", "in", ids)
    .orderBy("referral_id")
    .orderBy("from_day")
    .execute();
  const requests = await tx
    .selectFrom("material_request as request")
    .innerJoin("material_line as line", "line.request_id", "request.id")
    .select(["request.referral_id", "request.requested_at as at", "line.kind", "line.answer"])
    .where("request.referral_id", "in", ids)
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
        sentAt: row.sent_at!,
        urgency: row.reference_type,
        referrerId: row.referrer_id,
        clinicId: row.clinic_id,
        treatmentTypeId: row.treatment_type_id,
        status: row.status,
        statusSince: row.status_since ?? row.create_date,
        operationDate: row.operation_date,
        isCancelled: row.cancellation_date !== null,
        lines: linesOf(row.id).map((line) => ({
          date: line.date,
          treatmentTypeId: line.treatment_type_id,
          isCancelled: line.is_cancelled === 1,
        })),
        log: logOf(row.id).flatMap(({ at, status }) => (status === null ? [] : { at, status })),
        cancellations: cancellationsOf(row.id).map(({ at }) => at),
        messages: messagesOf(row.id),
        nextDueOn: row.next_due_on,
        silences: silencesOf(row.id),
        material: materialOf(row.id),
      },
    ]),
  );
}

function byReferral<R extends { referral_id: number | null }>(rows: R[]): (id: number) => R[] {
  const grouped = new Map<number | null, R[]>();
  for (const row of rows) {
    const group = grouped.get(row.referral_id);
    if (group) group.push(row);
    else grouped.set(row.referral_id, [row]);
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
  await tx.deleteFrom("statistics_sum").execute();
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
  await tx.updateTable("statistics_state").set({ value }).where("name", "=", name).execute();
}

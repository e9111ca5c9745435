import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";

export const NAMED_REFERRALS = 5;

export async function findReferralsOfEvents(db: DbOrTx, eventIds: readonly number[]): Promise<Map<number, number[]>> {
  const [first, ...rest] = eventIds.map((eventId) =>
    db
      .selectFrom(
        db
          .selectFrom("audit_referral")
          .select(["audit_event_id", "referral_id"])
          .where("audit_event_id", "=", eventId)
          .orderBy("referral_id")
          .limit(NAMED_REFERRALS + 1)
          .as("named"),
      )
      .select(["named.audit_event_id", "named.referral_id"]),
  );
  if (first === undefined) return new Map();
  const rows = await rest.reduce((all, each) => all.unionAll(each), first).execute();
  const found = new Map<number, number[]>();
  for (const { audit_event_id: id, referral_id: referral } of rows) found.set(id, [...(found.get(id) ?? []), referral]);
  return found;
}

export interface PatientEvent {
  id: number;
  at: string;
  actor_kind: string;
  role: string | null;
  operation: string;
}

/** Events about a CPR number, oldest first, after a given event. Refusals are left out, since nothing was seen. */
export async function findPatientEvents(
  db: DbOrTx,
  cprHashes: string[],
  { after, limit }: { after: Pick<PatientEvent, "id" | "at"> | null; limit: number },
): Promise<PatientEvent[]> {
  const hits = db
    .selectFrom("referral")
    .innerJoin("audit_referral", "audit_referral.referral_id", "referral.id")
    .where("referral.cpr_hash", "in", cprHashes)
    .select("audit_referral.audit_event_id as id")
    .union(db.selectFrom("audit_event").select("audit_event.id").where("audit_event.cpr_hash", "in", cprHashes));
  let query = db
    .selectFrom(hits.as("hit"))
    .innerJoin("audit_event", "audit_event.id", "hit.id")
    .select(["audit_event.id", "audit_event.at", "audit_event.actor_kind", "audit_event.role", "audit_event.operation"])
    .where("audit_event.outcome", "in", ["seen", "done"])
    .orderBy("audit_event.at")
    .orderBy("audit_event.id")
    .limit(limit);
  if (after !== null)
    query = query.where((eb) =>
      eb.or([
        eb("audit_event.at", ">", after.at),
        eb.and([eb("audit_event.at", "=", after.at), eb("audit_event.id", ">", after.id)]),
      ]),
    );
  return query.execute();
}

export interface SampledLookUp {
  eventId: number;
  referralId: number;
}

interface Span {
  from: string;
  until: string;
}

/** Lowest and highest id of the events within a span (ISO 8601, UTC, end excluded); undefined when there are none. */
export async function findIdRange(
  db: DbOrTx,
  { from, until }: Span,
): Promise<{ first: number; last: number } | undefined> {
  const within = db.selectFrom("audit_event").select("id").where("at", ">=", from).where("at", "<", until).limit(1);
  const first = await within.orderBy("at").orderBy("id").executeTakeFirst();
  const last = await within.orderBy("at", "desc").orderBy("id", "desc").executeTakeFirst();
  return first && last && { first: first.id, last: last.id };
}

/** Those of the given ids that are look-ups by a person within the span, with one referral of each. */
export async function findLookUps(db: DbOrTx, ids: readonly number[], { from, until }: Span): Promise<SampledLookUp[]> {
  const rows = await db
    .selectFrom("audit_event")
    .innerJoin("audit_referral", "audit_referral.audit_event_id", "audit_event.id")
    .select((eb) => ["audit_event.id as eventId", eb.fn.min("audit_referral.referral_id").as("referralId")])
    .where("audit_event.id", "in", ids)
    .where("audit_event.at", ">=", from)
    .where("audit_event.at", "<", until)
    .where("audit_event.outcome", "=", "seen")
    .where("audit_event.actor_id", "is not", null)
    .where("audit_event.api_key_id", "is", null)
    .groupBy("audit_event.id")
    .execute();
  return rows.map(({ eventId, referralId }) => ({ eventId, referralId: Number(referralId) }));
}

/** All referrals that the given events name. */
export const findReferralsOf = (db: DbOrTx, eventIds: readonly number[]) =>
  db
    .selectFrom("audit_referral")
    .select(["audit_event_id as eventId", "referral_id as referralId"])
    .where("audit_event_id", "in", eventIds)
    .execute();

export const findSample = (db: DbOrTx, month: string) =>
  db.selectFrom("access_sample").select("lookups").where("month", "=", month).executeTakeFirst();

/** Returns false when the month already has a sample. */
export async function insertSample(
  tx: Tx,
  sample: { month: string; drawnAt: string; drawnBy: number; lookUps: readonly SampledLookUp[] },
): Promise<boolean> {
  const there = await tx.selectFrom("access_sample").select("id").where("month", "=", sample.month).executeTakeFirst();
  if (there) return false;
  await tx
    .insertInto("access_sample")
    .values({
      month: sample.month,
      drawn_at: sample.drawnAt,
      drawn_by: sample.drawnBy,
      lookups: JSON.stringify(sample.lookUps),
    })
    .execute();
  return true;
}

export const findSamples = (db: DbOrTx, limit: number) =>
  db
    .selectFrom("access_sample")
    .innerJoin("user as drawer", "drawer.id", "access_sample.drawn_by")
    .leftJoin("user as signer", "signer.id", "access_sample.signed_by")
    .select([
      "access_sample.month",
      "access_sample.drawn_at",
      "access_sample.lookups",
      "access_sample.note",
      "access_sample.signed_at",
      "drawer.first_name as drawer_first_name",
      "drawer.last_name as drawer_last_name",
      "signer.first_name as signer_first_name",
      "signer.last_name as signer_last_name",
    ])
    .orderBy("access_sample.month", "desc")
    .limit(limit)
    .execute();

/** Returns whether the month has a sample that nobody had signed. */
export async function signSample(
  tx: Tx,
  { month, note, at, by }: { month: string; note: string; at: string; by: number },
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("access_sample")
      .set({ note, signed_at: at, signed_by: by })
      .where("month", "=", month)
      .where("signed_at", "is", null),
  );
}

export const findEvents = (db: DbOrTx, ids: readonly number[]) =>
  db
    .selectFrom("audit_event")
    .innerJoin("user", "user.id", "audit_event.actor_id")
    .select([
      "audit_event.id",
      "audit_event.at",
      "audit_event.role",
      "audit_event.actor_kind",
      "audit_event.operation",
      "user.id as user_id",
      "user.first_name",
      "user.last_name",
      "user.user_name",
    ])
    .where("audit_event.id", "in", ids)
    .execute();

export const findSampledReferrals = (db: DbOrTx, ids: readonly number[]) =>
  db
    .selectFrom("referral")
    .select(["id", "first_name", "last_name", "surgeon_id", "referrer_id", "creator_id", "clinic_id"])
    .where("id", "in", ids)
    .execute();

/** Which of the people have changed which of the referrals at any time, as 'user referral'. */
export async function findChanges(
  db: DbOrTx,
  { userIds, referralIds }: { userIds: readonly number[]; referralIds: readonly number[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom("audit_referral")
    .innerJoin("audit_event", "audit_event.id", "audit_referral.audit_event_id")
    .select(["audit_event.actor_id", "audit_referral.referral_id"])
    .distinct()
    .where("audit_referral.referral_id", "in", referralIds)
    .where("audit_event.actor_id", "in", userIds)
    .where("audit_event.outcome", "=", "done")
    .execute();
  return new Set(rows.map(({ actor_id, referral_id }) => `${actor_id} ${referral_id}`));
}

/** Which of the people belong to which of the clinics, as 'user clinic'. */
export async function findMemberships(db: DbOrTx, userIds: readonly number[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("user_clinic")
    .select(["user_id", "clinic_id"])
    .where("user_id", "in", userIds)
    .execute();
  return new Set(rows.map(({ user_id, clinic_id }) => `${user_id} ${clinic_id}`));
}

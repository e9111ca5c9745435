import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";

export const NAMED_REFERRALS = 5;

export async function findReferralsOfEvents(db: DbOrTx, eventIds: readonly number[]): Promise<Map<number, number[]>> {
  const [first, ...rest] = eventIds.map((eventId) =>
    db
      .selectFrom(
        db
          .selectFrom("auditReferral")
          .select(["auditEventId", "referralId"])
          .where("auditEventId", "=", eventId)
          .orderBy("referralId")
          .limit(NAMED_REFERRALS + 1)
          .as("named"),
      )
      .select(["named.auditEventId", "named.referralId"]),
  );
  if (first === undefined) return new Map();
  const rows = await rest.reduce((all, each) => all.unionAll(each), first).execute();
  const found = new Map<number, number[]>();
  for (const { auditEventId: id, referralId: referral } of rows) found.set(id, [...(found.get(id) ?? []), referral]);
  return found;
}

export interface PatientEvent {
  id: number;
  at: string;
  actorKind: string;
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
    .innerJoin("auditReferral", "auditReferral.referralId", "referral.id")
    .where("referral.cprHash", "in", cprHashes)
    .select("auditReferral.auditEventId as id")
    .union(db.selectFrom("auditEvent").select("auditEvent.id").where("auditEvent.cprHash", "in", cprHashes));
  let query = db
    .selectFrom(hits.as("hit"))
    .innerJoin("auditEvent", "auditEvent.id", "hit.id")
    .select(["auditEvent.id", "auditEvent.at", "auditEvent.actorKind", "auditEvent.role", "auditEvent.operation"])
    .where("auditEvent.outcome", "in", ["seen", "done"])
    .orderBy("auditEvent.at")
    .orderBy("auditEvent.id")
    .limit(limit);
  if (after !== null)
    query = query.where((eb) =>
      eb.or([
        eb("auditEvent.at", ">", after.at),
        eb.and([eb("auditEvent.at", "=", after.at), eb("auditEvent.id", ">", after.id)]),
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
  const within = db.selectFrom("auditEvent").select("id").where("at", ">=", from).where("at", "<", until).limit(1);
  const first = await within.orderBy("at").orderBy("id").executeTakeFirst();
  const last = await within.orderBy("at", "desc").orderBy("id", "desc").executeTakeFirst();
  return first && last && { first: first.id, last: last.id };
}

/** Those of the given ids that are look-ups by a person within the span, with one referral of each. */
export async function findLookUps(db: DbOrTx, ids: readonly number[], { from, until }: Span): Promise<SampledLookUp[]> {
  const rows = await db
    .selectFrom("auditEvent")
    .innerJoin("auditReferral", "auditReferral.auditEventId", "auditEvent.id")
    .select((eb) => ["auditEvent.id as eventId", eb.fn.min("auditReferral.referralId").as("referralId")])
    .where("auditEvent.id", "in", ids)
    .where("auditEvent.at", ">=", from)
    .where("auditEvent.at", "<", until)
    .where("auditEvent.outcome", "=", "seen")
    .where("auditEvent.actorId", "is not", null)
    .where("auditEvent.apiKeyId", "is", null)
    .groupBy("auditEvent.id")
    .execute();
  return rows.map(({ eventId, referralId }) => ({ eventId, referralId: Number(referralId) }));
}

/** All referrals that the given events name. */
export const findReferralsOf = (db: DbOrTx, eventIds: readonly number[]) =>
  db
    .selectFrom("auditReferral")
    .select(["auditEventId as eventId", "referralId as referralId"])
    .where("auditEventId", "in", eventIds)
    .execute();

export const findSample = (db: DbOrTx, month: string) =>
  db.selectFrom("accessSample").select("lookups").where("month", "=", month).executeTakeFirst();

/** Returns false when the month already has a sample. */
export async function insertSample(
  tx: Tx,
  sample: { month: string; drawnAt: string; drawnBy: number; lookUps: readonly SampledLookUp[] },
): Promise<boolean> {
  const there = await tx.selectFrom("accessSample").select("id").where("month", "=", sample.month).executeTakeFirst();
  if (there) return false;
  await tx
    .insertInto("accessSample")
    .values({
      month: sample.month,
      drawnAt: sample.drawnAt,
      drawnBy: sample.drawnBy,
      lookups: JSON.stringify(sample.lookUps),
    })
    .execute();
  return true;
}

export const findSamples = (db: DbOrTx, limit: number) =>
  db
    .selectFrom("accessSample")
    .innerJoin("user as drawer", "drawer.id", "accessSample.drawnBy")
    .leftJoin("user as signer", "signer.id", "accessSample.signedBy")
    .select([
      "accessSample.month",
      "accessSample.drawnAt",
      "accessSample.lookups",
      "accessSample.note",
      "accessSample.signedAt",
      "drawer.firstName as drawerFirstName",
      "drawer.lastName as drawerLastName",
      "signer.firstName as signerFirstName",
      "signer.lastName as signerLastName",
    ])
    .orderBy("accessSample.month", "desc")
    .limit(limit)
    .execute();

/** Returns whether the month has a sample that nobody had signed. */
export async function signSample(
  tx: Tx,
  { month, note, at, by }: { month: string; note: string; at: string; by: number },
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("accessSample")
      .set({ note, signedAt: at, signedBy: by })
      .where("month", "=", month)
      .where("signedAt", "is", null),
  );
}

export const findEvents = (db: DbOrTx, ids: readonly number[]) =>
  db
    .selectFrom("auditEvent")
    .innerJoin("user", "user.id", "auditEvent.actorId")
    .select([
      "auditEvent.id",
      "auditEvent.at",
      "auditEvent.role",
      "auditEvent.actorKind",
      "auditEvent.operation",
      "user.id as userId",
      "user.firstName",
      "user.lastName",
      "user.userName",
    ])
    .where("auditEvent.id", "in", ids)
    .execute();

export const findSampledReferrals = (db: DbOrTx, ids: readonly number[]) =>
  db
    .selectFrom("referral")
    .select(["id", "firstName", "lastName", "surgeonId", "referrerId", "creatorId", "clinicId"])
    .where("id", "in", ids)
    .execute();

/** Which of the people have changed which of the referrals at any time, as 'user referral'. */
export async function findChanges(
  db: DbOrTx,
  { userIds, referralIds }: { userIds: readonly number[]; referralIds: readonly number[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom("auditReferral")
    .innerJoin("auditEvent", "auditEvent.id", "auditReferral.auditEventId")
    .select(["auditEvent.actorId", "auditReferral.referralId"])
    .distinct()
    .where("auditReferral.referralId", "in", referralIds)
    .where("auditEvent.actorId", "in", userIds)
    .where("auditEvent.outcome", "=", "done")
    .execute();
  return new Set(rows.map(({ actorId, referralId }) => `${actorId} ${referralId}`));
}

/** Which of the people belong to which of the clinics, as 'user clinic'. */
export async function findMemberships(db: DbOrTx, userIds: readonly number[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("userClinic")
    .select(["userId", "clinicId"])
    .where("userId", "in", userIds)
    .execute();
  return new Set(rows.map(({ userId, clinicId }) => `${userId} ${clinicId}`));
}

import type { DbOrTx } from "~db/connection.server";

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

import type { DbOrTx, Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { inScope, type ScopedReferralId } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import { showDay, toMoment } from "~/text/dates";
import { CLOSED } from "~/features/referrals/model/status";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

export interface PlanLine {
  id: number;
  date: string;
  time: string | null;
  durationMinutes: number | null;
  code: string;
  isCancelled: boolean;
}

export interface ReferralWithPlan {
  referralId: ScopedReferralId;
  status: number;
  lines: PlanLine[];
}

/** The referrals of each CPR number in the actor's scope that are sent and not closed, with the lines of their plans; two statements however many are asked for. */
export async function findOpenPlans(
  db: DbOrTx,
  actor: Actor,
  secrets: Secrets,
  cprs: string[],
): Promise<Map<string, ReferralWithPlan[]>> {
  const cprByHash = new Map(cprs.flatMap((cpr) => secrets.lookups("cpr", cpr).map((hash) => [hash, cpr] as const)));
  if (cprByHash.size === 0) return new Map();
  const open = db
    .selectFrom("referral")
    .select(["id", "cpr_hash", "status"])
    .where("cpr_hash", "in", [...cprByHash.keys()])
    .where("sent_at", "is not", null)
    .where("status", "!=", CLOSED)
    .where("deleted_at", "is", null)
    .orderBy("id");
  const referrals = await inScope(open, actor, "sent").execute();
  const lines =
    referrals.length === 0
      ? []
      : await findLines(
          db,
          referrals.map(({ id }) => id),
        );
  const found = new Map<string, ReferralWithPlan[]>();
  for (const { id, cpr_hash: hash, status } of referrals) {
    const cpr = cprByHash.get(hash!)!;
    found.set(cpr, [
      ...(found.get(cpr) ?? []),
      { referralId: id, status, lines: lines.filter((line) => line.referralId === id) },
    ]);
  }
  return found;
}

async function findLines(db: DbOrTx, referralIds: ScopedReferralId[]): Promise<(PlanLine & { referralId: number })[]> {
  const rows = await db
    .selectFrom("visit_appointment")
    .selectAll()
    .where("referral_id", "in", referralIds)
    .orderBy("date")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    referralId: row.referral_id,
    date: row.date,
    time: row.time,
    durationMinutes: row.duration_minutes,
    code: row.external_code,
    isCancelled: row.is_cancelled === 1,
  }));
}

export interface PlanChange {
  referral: ReferralWithPlan;
  /** The line that is changed, or null for a new one. */
  lineId: number | null;
  date: string;
  time: string | null;
  durationMinutes: number | null;
  treatment: string;
  code: string;
  isCancelled: boolean;
  /** Treatment type of each code that may come first in the plan. */
  treatmentTypeOf(code: string): number | null;
  surgeonId: number | null;
  modifierId: number;
  /** Today in Copenhagen. */
  today: string;
}

/**
 * Writes one line of a plan and lets the referral's own operation date, treatment and surgeon follow the next appointment to come. The
 * imported file is newer than what anybody saw, so it asks for no version; it raises it, and an open form hears of it.
 */
export async function writePlanLine(tx: Tx, actor: Actor, change: PlanChange, now: Date): Promise<void> {
  const { referral, lineId, date, time, durationMinutes, treatment, code, isCancelled, today } = change;
  const at = toMoment(now);
  const line = {
    date,
    time,
    duration_minutes: durationMinutes,
    treatment,
    external_code: code,
    is_cancelled: isCancelled ? 1 : 0,
    modified_at: at,
  };
  if (lineId !== null)
    await tx
      .updateTable("visit_appointment")
      .set(isCancelled ? { is_cancelled: 1, modified_at: at } : line)
      .where("id", "=", lineId)
      .execute();
  else
    await tx
      .insertInto("visit_appointment")
      .values({ referral_id: referral.referralId, ...line })
      .execute();
  referral.lines = await findLines(tx, [referral.referralId]);

  const alive = referral.lines.filter((each) => !each.isCancelled);
  const next = alive.find((each) => each.date >= today) ?? alive.at(-1);
  const [hour, minute] = next?.time?.split(":").map(Number) ?? [];
  await tx
    .updateTable("referral")
    .set((eb) => ({
      operation_date: next?.date ?? null,
      operation_hour: next ? (hour ?? 0) : null,
      operation_minute: next ? (minute ?? 0) : null,
      operation_duration: next?.durationMinutes ?? null,
      ...(next ? { treatment_type_id: change.treatmentTypeOf(next.code) } : {}),
      ...(change.surgeonId === null ? {} : { surgeon_id: change.surgeonId }),
      modifier_id: change.modifierId,
      modified_at: at,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", referral.referralId)
    .execute();
  const when = `${showDay(date)}${time ? ` kl. ${time.replace(":", ".")}` : ""}`;
  const what = isCancelled ? "Tid aflyst" : lineId === null ? "Tid importeret" : "Tid opdateret";
  await insertVisitLog(
    tx,
    actor,
    [{ referralId: referral.referralId, status: referral.status, event: `${what}: ${when}, ${treatment}` }],
    now,
  );
}

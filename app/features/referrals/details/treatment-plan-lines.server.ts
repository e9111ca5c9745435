import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { ScopedReferralId } from "~/access/scope.server";
import type { ChangeContext } from "~/access/operation.server";
import type { Secrets } from "~/access/secrets.server";
import { showDay } from "~/text/dates";
import {
  findOpenByCpr,
  findPlanLines,
  type PlanLine,
  type PlanLineValues,
  updateOperation,
  upsertPlanLine,
} from "~/features/referrals/store/treatment-plan-store.server";
import { followTime } from "./operation-time.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

export type { PlanLine };

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
  const referrals = await findOpenByCpr(db, actor, [...cprByHash.keys()]);
  const lines = await findPlanLines(
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

export interface PlanChange extends PlanLineValues {
  referral: ReferralWithPlan;
  /** The line that is changed, or null for a new one. */
  lineId: number | null;
  /** Treatment type of each code that may come first in the plan. */
  treatmentTypeOf(code: string): number | null;
  surgeonId: number | null;
  modifierId: number;
  /** Today in Copenhagen. */
  today: string;
}

/**
 * Writes one line of a plan and lets the referral's own operation date, treatment and surgeon follow the next appointment to come. The
 * imported file is newer than what anybody saw, so it asks for no version; it raises it, so that an open form meets a conflict.
 */
export async function writePlanLine(
  context: Pick<ChangeContext, "tx" | "outbox" | "actor" | "now">,
  change: PlanChange,
): Promise<void> {
  const { tx, actor, now } = context;
  const { referral, lineId, date, time, treatment, isCancelled, today } = change;
  await upsertPlanLine(tx, { referralId: referral.referralId, lineId }, change, now);
  referral.lines = await findPlanLines(tx, [referral.referralId]);

  const alive = referral.lines.filter((each) => !each.isCancelled);
  const next = alive.find((each) => each.date >= today) ?? alive.at(-1);
  const [hour, minute] = next?.time?.split(":").map(Number) ?? [];
  await followTime(context, referral.referralId, {
    operation_date: next?.date ?? null,
    operation_hour: hour ?? 0,
    operation_minute: minute ?? 0,
  });
  await updateOperation(tx, referral.referralId, {
    next,
    treatmentTypeId: next ? change.treatmentTypeOf(next.code) : null,
    surgeonId: change.surgeonId,
    modifierId: change.modifierId,
    now,
  });
  const when = `${showDay(date)}${time ? ` kl. ${time.replace(":", ".")}` : ""}`;
  const what = isCancelled ? "Tid aflyst" : lineId === null ? "Tid importeret" : "Tid opdateret";
  await insertVisitLog(
    tx,
    actor,
    [{ referralId: referral.referralId, status: referral.status, event: `${what}: ${when}, ${treatment}` }],
    now,
  );
}

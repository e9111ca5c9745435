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
  version: number;
  lines: PlanLine[];
}

/**
 * Open sent referrals of each CPR number in scope with their plan lines, in two statements; optionally locked until the
 * transaction ends.
 */
export async function findOpenPlans(
  db: DbOrTx,
  actor: Actor,
  secrets: Secrets,
  cprs: string[],
  { isHeld }: { isHeld: boolean },
): Promise<Map<string, ReferralWithPlan[]>> {
  const cprByHash = new Map(cprs.flatMap((cpr) => secrets.lookups("cpr", cpr).map((hash) => [hash, cpr] as const)));
  if (cprByHash.size === 0) return new Map();
  const referrals = await findOpenByCpr(db, actor, [...cprByHash.keys()], isHeld);
  const lines = await findPlanLines(
    db,
    referrals.map(({ id }) => id),
  );
  const found = new Map<string, ReferralWithPlan[]>();
  for (const { id, cpr_hash: hash, status, version } of referrals) {
    const cpr = cprByHash.get(hash!)!;
    found.set(cpr, [
      ...(found.get(cpr) ?? []),
      { referralId: id, status, version, lines: lines.filter((line) => line.referralId === id) },
    ]);
  }
  return found;
}

export interface PlanLineChange extends PlanLineValues {
  /** The changed line, or null for a new one. */
  lineId: number | null;
  /** Surgeon of the appointment; null leaves the referral's. */
  surgeonId: number | null;
}

export interface PlanChange {
  referral: Pick<ReferralWithPlan, "referralId" | "status">;
  lines: readonly PlanLineChange[];
  treatmentTypeOf(code: string): number | null;
  modifierId: number;
  /** Copenhagen date. */
  today: string;
}

/**
 * Writes plan lines and then sets the referral's date, treatment and surgeon from the next appointment, once, so that
 * answers stay when lines only swap. An imported file is newer than any page, so no version is checked, but it is
 * raised for open forms.
 */
export async function writePlanLines(
  context: Pick<ChangeContext, "tx" | "outbox" | "actor" | "now">,
  { referral, lines, treatmentTypeOf, modifierId, today }: PlanChange,
): Promise<void> {
  const { tx, actor, now } = context;
  const { referralId, status } = referral;
  const surgeons = new Map<number, number | null>();
  for (const line of lines) {
    const id = await upsertPlanLine(tx, { referralId, lineId: line.lineId }, line, now);
    surgeons.set(id, line.surgeonId);
  }
  const alive = (await findPlanLines(tx, [referralId])).filter((each) => !each.isCancelled);
  const next = alive.find((each) => each.date >= today) ?? alive.at(-1);
  const [hour, minute] = next?.time?.split(":").map(Number) ?? [];
  await followTime(context, referralId, {
    operation_date: next?.date ?? null,
    operation_hour: hour ?? 0,
    operation_minute: minute ?? 0,
  });
  await updateOperation(tx, referralId, {
    next,
    treatmentTypeId: next ? treatmentTypeOf(next.code) : null,
    surgeonId: next ? (surgeons.get(next.id) ?? null) : null,
    modifierId,
    now,
  });
  await insertVisitLog(
    tx,
    actor,
    lines.map((line) => ({ referralId, status, event: eventOf(line) })),
    now,
  );
}

function eventOf({ date, time, treatment, isCancelled, lineId }: PlanLineChange): string {
  const when = `${showDay(date)}${time ? ` kl. ${time.replace(":", ".")}` : ""}`;
  const what = isCancelled ? "Tid aflyst" : lineId === null ? "Tid importeret" : "Tid opdateret";
  return `${what}: ${when}, ${treatment}`;
}

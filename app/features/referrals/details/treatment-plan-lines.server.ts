import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import {
  clearAnswerIfMoved,
  findClosedByCpr,
  findOpenByCpr,
  findPlanLines,
  type PlanLine,
  type PlanLineValues,
  updateOperation,
  upsertPlanLine,
} from "../store/treatment-store.server";
import { insertVisitLog, insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";
import { type DbOrTx, idsOf } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { localDate, showDay } from "~/text/dates";
import type { ReferralRow } from "../store/referral-store.server";

export const TIME_CHANGED = "Tiden er ændret";
export const TIME_CANCELLED = "Tiden er aflyst";

type Context = Pick<ChangeContext, "tx" | "outbox" | "actor" | "now">;

/**
 * Must be called before an operation time is written. A new time voids the patient's answer and links, withdraws
 * messages stating the old time, and gets its own reminders. Returns how many withdrawn messages no job will send
 * again.
 */
export async function followTime(
  context: Context,
  referralId: ScopedReferralId,
  time: { operationDate?: string | null; operationHour?: number | null; operationMinute?: number | null },
): Promise<number> {
  const { operationDate: day = null, operationHour: hour = null, operationMinute: minute = null } = time;
  const isMoved = await clearAnswerIfMoved(context.tx, referralId, { day, hour, minute }, context.now);
  return isMoved ? withdrawTimes(context, referralId, TIME_CHANGED) : 0;
}

export async function withdrawTimes(
  { tx, outbox, actor, now }: Context,
  referralId: ScopedReferralId,
  reason: string,
): Promise<number> {
  const kinds = await outbox.withdrawTimes(referralId, reason);
  const count = kinds.filter((kind) => kind !== "appointmentReminder").length;
  if (count > 0) {
    const event = `${count === 1 ? "Ventende besked" : `${count} ventende beskeder`} om tiden annulleret (${reason})`;
    await insertVisitLogEntry(tx, actor, { referralId, status: null, event }, now);
  }
  return count;
}

export type { PlanLine };

export interface ReferralWithPlan {
  referralId: ScopedReferralId;
  status: number;
  version: number;
  firstName: string;
  lastName: string;
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
  const lines = await findPlanLines(db, idsOf(referrals));
  const found = new Map<string, ReferralWithPlan[]>();
  for (const { id, cprHash: hash, status, version, firstName, lastName } of referrals) {
    const cpr = cprByHash.get(hash!)!;
    found.set(cpr, [
      ...(found.get(cpr) ?? []),
      { referralId: id, status, version, firstName, lastName, lines: lines.filter((line) => line.referralId === id) },
    ]);
  }
  return found;
}

/** The newest closed referral of each CPR number in scope. */
export async function findClosedReferrals(
  db: DbOrTx,
  actor: Actor,
  secrets: Secrets,
  cprs: string[],
): Promise<Map<string, ScopedReferralId>> {
  const cprByHash = new Map(cprs.flatMap((cpr) => secrets.lookups("cpr", cpr).map((hash) => [hash, cpr] as const)));
  if (cprByHash.size === 0) return new Map();
  const closed = await findClosedByCpr(db, actor, [...cprByHash.keys()]);
  return new Map(closed.map(({ id, cprHash: hash }) => [cprByHash.get(hash!)!, id]));
}

export interface PlanLineChange extends PlanLineValues {
  lineId: number | null;
  surgeonId: number | null;
}

interface PlanChange {
  referral: Pick<ReferralWithPlan, "referralId" | "status">;
  lines: readonly PlanLineChange[];
  treatmentTypeOf(code: string): number | null;
  modifierId: number;
  today: string;
}

/**
 * Writes plan lines and then sets the referral's date, treatment and surgeon from the next appointment, once, so that
 * answers stay when lines only swap. An imported file is newer than any page, so no version is checked, but it is
 * raised for open forms. Returns the next appointment, or the last one of the past.
 */
export async function writePlanLines(
  context: Pick<ChangeContext, "tx" | "outbox" | "actor" | "now">,
  { referral, lines, treatmentTypeOf, modifierId, today }: PlanChange,
): Promise<{ next: PlanLine | undefined }> {
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
    operationDate: next?.date ?? null,
    operationHour: hour ?? null,
    operationMinute: minute ?? null,
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
  return { next };
}

/** Cancels the times to come of a locked referral. A time of the past stays. */
export async function cancelTimeToCome(
  context: Pick<ChangeContext, "tx" | "outbox" | "actor" | "person" | "now">,
  row: Pick<ReferralRow, "id" | "status">,
): Promise<void> {
  const today = localDate(context.now);
  const lines = (await findPlanLines(context.tx, [row.id])).filter(
    ({ date, isCancelled }) => date >= today && !isCancelled,
  );
  await writePlanLines(context, {
    referral: { referralId: row.id, status: row.status },
    lines: lines.map((line) => ({
      ...line,
      lineId: line.id,
      treatment: "",
      isCancelled: true,
      treatmentTypeId: null,
      surgeonId: null,
    })),
    treatmentTypeOf: () => null,
    modifierId: context.person.id,
    today,
  });
}

function eventOf({ date, time, treatment, isCancelled, lineId }: PlanLineChange): string {
  const when = `${showDay(date)}${time ? ` kl. ${time.replace(":", ".")}` : ""}`;
  const what = isCancelled ? "Tid aflyst" : lineId === null ? "Tid importeret" : "Tid opdateret";
  return [`${what}: ${when}`, treatment].filter(Boolean).join(", ");
}

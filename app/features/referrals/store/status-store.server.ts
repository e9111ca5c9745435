import type { ExpressionBuilder, Updateable } from "kysely";
import { changesAny, type Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { Database, ReferralTable } from "~db/schema";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";
import { URGENT } from "../model/referral";
import {
  AFTER_TRIAGE,
  AWAITING_TRIAGE,
  CLOSED,
  DECLINED,
  TRIAGED_FOR_ANAESTHESIA,
  TRIAGED_URGENT,
} from "../model/statuses";
import { type Editing, modifiedBy } from "./referral-store.server";

/**
 * What a status writes beside itself, `at` (ISO 8601 in UTC): that the referral is triaged, is urgent, needs general
 * anaesthesia, or awaits triage again (docs/rules/triage.md); the comment of 'Ønsker ikke behandlingen' and the reason of a former closing go. What comes
 * by itself, such as material, takes no judgement of the clinic back.
 */
export function writtenWithStatus(status: unknown, at: string, by: "person" | "portal" = "person") {
  if (status === undefined) return {};
  return {
    ...(status !== DECLINED && { notNeedTreatmentComment: null }),
    ...(status === CLOSED && { closedBecause: null }),
    ...(status === TRIAGED_URGENT && { triageUrgency: URGENT }),
    ...(status === TRIAGED_FOR_ANAESTHESIA && { hasAnaesthesia: true }),
    ...(status === AWAITING_TRIAGE && { triagedAt: null }),
    ...(status === AWAITING_TRIAGE && by === "person" && { triageUrgency: null, hasAnaesthesia: false }),
    ...(AFTER_TRIAGE.includes(Number(status)) && {
      triagedAt: (eb: ExpressionBuilder<Database, "referral">) => eb.fn.coalesce("triagedAt", eb.val(at)),
    }),
  };
}

/** Updates by id and status version and raises it. Throws `conflict` when no row matches. */
export async function updateStatusGuarded(
  context: Pick<Editing, "tx" | "person" | "now">,
  id: ScopedReferralId,
  seenVersion: number,
  set: Updateable<ReferralTable>,
): Promise<void> {
  const { tx } = context;
  const isUpdated = await changesAny(
    tx
      .updateTable("referral")
      .set({ ...writtenWithStatus(set.status, toMoment(context.now)), ...set, ...modifiedBy(context) })
      .set((eb) => ({ statusVersion: eb("statusVersion", "+", 1) }))
      .where("id", "=", id)
      .where("statusVersion", "=", seenVersion),
  );
  if (!isUpdated) throw new Refusal("conflict");
  markReferrals(tx, [id]);
}

/**
 * Changes the status if it is still the given one (since exactly `since`, if set), and raises its version. Returns
 * whether it did.
 */
export async function moveStatus(
  tx: Tx,
  referralId: number,
  { from, to, since }: { from: number; to: number; since?: string },
  now: Date,
): Promise<boolean> {
  markReferrals(tx, [referralId]);
  return changesAny(
    tx
      .updateTable("referral")
      .set((eb) => ({ status: to, statusSince: toMoment(now), statusVersion: eb("statusVersion", "+", 1) }))
      .set(writtenWithStatus(to, toMoment(now), "portal"))
      .where("id", "=", referralId)
      .where("status", "=", from)
      .$if(since !== undefined, (query) => query.where("statusSince", "=", since!)),
  );
}

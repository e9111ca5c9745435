import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import { toMoment } from "~/text/dates";
import { type Outcome, outcomes } from "./delivery-outcome";
import { type Kind, messageKinds } from "./message-kinds";

interface Settled {
  referralId: number | null;
  kind: Kind;
  logType: string;
  outcome: Outcome;
  detail: string | null;
}

export async function logDelivery(
  tx: DbOrTx,
  { referralId, kind, logType, outcome, detail }: Settled,
  now: Date,
): Promise<void> {
  if (referralId === null) return;
  const event = `${messageKinds[kind].label}: ${outcomes[outcome]}${detail === null || outcome === "unknown" ? "" : ` (${detail})`}`;
  await tx
    .insertInto("visit_log")
    .values({
      referral_id: referralId,
      at: toMoment(now),
      modifier_id: null,
      modifier_name: "Systemet",
      status: null,
      treatment_type_id: null,
      surgeon_comment: null,
      log_type: logType,
      event: event.slice(0, 200),
    })
    .execute();
}

/**
 * Progress of a referral's messages; undefined outside the actor's scope. `changedAt` is null before any is settled.
 */
export function findProgress(db: DbOrTx, actor: Actor, referralId: number) {
  return db
    .selectFrom("referral")
    .select((eb) => {
      const messages = eb.selectFrom("outbox").whereRef("outbox.referral_id", "=", "referral.id");
      const waiting = messages.where("outbox.outcome", "in", ["queued", "awaiting"]);
      return [
        "referral.status_version as statusVersion",
        waiting.select((of) => of.fn.countAll<number>().as("count")).as("underWay"),
        messages.select((of) => of.fn.max("outbox.settled_at").as("at")).as("changedAt"),
      ];
    })
    .where("referral.id", "=", referralId)
    .where(referralScope(actor))
    .executeTakeFirst();
}

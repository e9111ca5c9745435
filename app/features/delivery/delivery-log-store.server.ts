import type { DbOrTx } from "~db/connection.server";
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

/** A line in the referral's log: what was to be sent, how, and what became of it. Nothing of what it said. */
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

import type { Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import { logDelivery, refreshSmsSummary } from "./store.server";
import type { NewOutcome, SettledMessage } from "./port";

export function invalidateFor(
  { afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">,
  { kind }: Pick<SettledMessage, "kind">,
): void {
  const { staleTopics } = portal.kindHooks[kind];
  if (staleTopics !== undefined) afterCommit(() => portal.cache.invalidate(...staleTopics));
}

/** Follows a new outcome in its transaction: the referral's log and the kind's own hook. */
export async function followOutcome(
  tx: Tx,
  portal: Pick<Portal, "kindHooks" | "outboxIn" | "config">,
  message: SettledMessage,
  settlement: NewOutcome,
  now: Date,
): Promise<void> {
  const { logType } = channels[message.channel];
  if (logType !== null) await logDelivery(tx, { ...message, ...settlement, logType }, now);
  if (message.channel === "sms" && message.referralId !== null && settlement.outcome === "withdrawn")
    await refreshSmsSummary(tx, message.referralId);
  const context = { tx, outbox: portal.outboxIn(tx), portal, now };
  await portal.kindHooks[message.kind].onSettled?.(context, message, settlement);
}

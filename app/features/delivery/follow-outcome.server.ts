import type { Tx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import { logDelivery } from "./delivery-log-store.server";
import type { NewOutcome, SettledMessage } from "./kind-hooks";

/** What goes with every new outcome of a message, in the same transaction: a line in the referral's log, and what its kind does about it. */
export async function followOutcome(
  tx: Tx,
  { kindHooks }: Pick<Portal, "kindHooks">,
  message: SettledMessage,
  settlement: NewOutcome,
  now: Date,
): Promise<void> {
  await logDelivery(tx, { ...message, ...settlement, logType: channels[message.channel].logType }, now);
  await kindHooks[message.kind].onSettled?.(tx, message, settlement, now);
}

import { z } from "zod";
import { subHours } from "date-fns";
import type { Tx } from "~db/connection.server";
import { type ChangeContext, change, execute, external, plainInput } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import { logDelivery, refreshSmsSummary, settleQueued } from "./store.server";
import { type NewOutcome, type SettledMessage, settledMessageOf, type ClaimedMessage, type NotNow } from "./port";
import { type ChannelName, channelNames, type FailureReason } from "./delivery-outcome";
import { findQueuedBefore, settleUnreported, findOverdue, lockOverdue } from "./receipt-store.server";
import { print } from "./channels/letters.server";

export function invalidateFor(
  { afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">,
  { kind }: Pick<SettledMessage, "kind">,
): void {
  const { staleTopics } = portal.kindHooks[kind];
  if (staleTopics !== undefined) afterCommit(() => portal.cache.invalidate(...staleTopics));
}

/** Writes the referral's log and calls the kind's hook for a new outcome, in its transaction. */
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

const MAY_HAVE_LEFT = "Fra en kopi af portalen: kan være sendt, efter at kopien blev taget";

/**
 * Hands messages queued before a moment to people in batches: each becomes unknown and is listed as a failure, to be
 * resent or marked as handled. `data.held` is the batch's size, 0 at the end.
 */
export const holdQueued = change({
  name: "outbox.holdQueued",
  permission: "system",
  input: z.object({ by: z.date() }),
  async run({ tx, portal, now, auditChange }, { by }) {
    const messages = await findQueuedBefore(tx, by);
    for (const message of messages) {
      const { codes } = channels[message.channel as ChannelName];
      const settlement = {
        outcome: "unknown",
        code: codes.unknown,
        detail: MAY_HAVE_LEFT,
        reason: "fromCopy",
      } as const;
      await settleUnreported(tx, message.id, settlement, now);
      await followOutcome(tx, portal, settledMessageOf(message), settlement, now);
      if (message.referralId !== null) auditChange([message.referralId]);
    }
    return { data: { held: messages.length } };
  },
});

const NO_RECEIPT = "Udbyderen har ikke meldt tilbage";

/** Marks an accepted, unreported message as a failure. A late receipt still counts. */
export const settleOverdueMessage = change({
  name: "outbox.settleOverdueMessage",
  permission: "system",
  input: z.object({ channel: z.enum(channelNames), outboxId: z.number().int() }),
  async run({ tx, portal, now, auditChange }, { channel, outboxId }) {
    const { awaitHours, codes, silentText = NO_RECEIPT } = channels[channel];
    const message = await lockOverdue(tx, outboxId, channel, subHours(now, awaitHours(portal)));
    if (message === undefined) return {};
    const settlement = { outcome: "unknown", code: codes.unknown, detail: silentText, reason: "noReport" } as const;
    await settleUnreported(tx, message.id, settlement, now);
    await followOutcome(tx, portal, settledMessageOf(message), settlement, now);
    if (message.referralId !== null) auditChange([message.referralId]);
    return {};
  },
});

/** Settles all overdue messages in separate transactions; one that fails is logged and does not stop the others. */
export const settleOverdue = external({
  name: "outbox.settleOverdue",
  permission: "system",
  async prepare({ db, portal, caller, now }) {
    for (const channel of channelNames)
      for (const outboxId of await findOverdue(db, channel, subHours(now, channels[channel].awaitHours(portal))))
        await execute(portal, caller, settleOverdueMessage, plainInput({ channel, outboxId })).catch((error: unknown) =>
          portal.log.error({ err: error, outboxId }, "message without a receipt not settled"),
        );
  },
  run: async () => ({}),
});

export type LetterVerdict = NotNow | { outcome: "unknown"; detail: string; reason?: FailureReason; code?: number };

/** Checks a letter before printing; null lets it pass. A changed address is written into the letter. */
export async function judgeLetter(portal: Portal, letter: ClaimedMessage): Promise<LetterVerdict | null> {
  if (letter.attempts > 0)
    return { outcome: "unknown", detail: "Kan være sendt af trykkeriet", reason: "printedElsewhere" };
  if (letter.isUnreadable)
    return { outcome: "failed", detail: "Kan ikke læses med den nuværende nøgle", reason: "unreadable" };
  const verdict = (await portal.kindHooks[letter.kind].recheck?.(portal, letter)) ?? null;
  if (verdict === null || !("to" in verdict)) return verdict;
  letter.to = verdict.to;
  return null;
}

export async function settleLetter(
  tx: Tx,
  portal: Portal,
  letter: ClaimedMessage,
  {
    outcome,
    detail,
    reason = null,
    code = print.codes[outcome],
  }: { outcome: "sent" | "failed" | "withdrawn" | "unknown" } & Pick<NewOutcome, "detail" | "reason"> & {
      code?: number;
    },
  now: Date,
): Promise<boolean> {
  const isSettled = await settleQueued(tx, letter.id, { outcome, code, detail, reason }, now);
  if (isSettled) await followOutcome(tx, portal, letter, { outcome, code, detail, reason }, now);
  return isSettled;
}

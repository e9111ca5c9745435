import { z } from "zod";
import { external, read } from "~/access/operation.server";
import type { Db } from "~db/connection.server";
import type { SendResult } from "~/gateways/sending/port";
import type { Portal } from "~/portal.server";
import { attemptToPoll, attemptToSend } from "./attempt.server";
import type { Channel } from "./channels/channel";
import { channels } from "./channels/index.server";
import {
  type ClaimedMessage,
  claimMessage,
  isAnyDue,
  markSending,
  recordAttempt,
  settleMessage,
} from "./claim-store.server";
import { logDelivery } from "./delivery-log-store.server";
import { type ChannelName, channelNames } from "./delivery-outcome";
import { kindHooks } from "./kind-hooks.server";
import { type Settlement, settlementOf } from "./settlement";

const channelName = z.enum(channelNames);

// Which content goes to which channel is decided by the row.
const channelOf = (name: ChannelName) => channels[name] as Channel<unknown>;

const laneOf = (portal: Portal, name: ChannelName) => ({
  channel: name,
  polls: channelOf(name).gateway(portal).poll !== undefined,
});

/** Whether there is anything to do in a lane now: an idle worker asks this, and leaves no row in the audit. */
export const readDue = read({
  name: "outbox.readDue",
  permission: "system",
  input: z.object({ channel: channelName }),
  async run({ db, now, portal }, { channel }) {
    return { isDue: await isAnyDue(db, laneOf(portal, channel), now) };
  },
});

/** What came of one message; null when another worker had it. */
type Prepared = {
  message: ClaimedMessage;
  settlement: Settlement;
  attempt: { outcome: string; detail: string } | null;
  isChannelDown: boolean;
} | null;

/**
 * Sends one due message of a channel, or asks what became of one. Answers `found.sent`: false when nothing was due; `found.isChannelDown`:
 * the next message would meet the same fault.
 *
 * The order matters: claim, say that sending begins, call the gateway, record. A process that dies before the second step sends
 * again; one that dies after it never does so by itself, unless the gateway deduplicates.
 */
export const sendMessage = external({
  name: "outbox.send",
  permission: "system",
  input: z.object({ owner: z.string().min(1), channel: channelName }),
  async prepare({ db, portal }, { owner, channel: name }): Promise<Prepared> {
    const channel = channelOf(name);
    const lane = { ...laneOf(portal, name), leaseSeconds: channel.leaseSeconds, failedCode: channel.codes.failed };
    const message = await claimMessage(db, portal.secrets, lane, owner, portal.clock.now());
    if (message === null) return null;
    if (message.outcome === "awaiting") return pollOne(portal, channel, message, owner);
    const ended = await endedBefore(db, portal, channel, message);
    if (ended) return { message, isChannelDown: false, ...ended };
    if (!(await markSending(db, message.id, owner, portal.clock.now()))) return null;
    const result = await attemptToSend(portal, channel, { message, owner });
    const settlement = settlementOf(channel, result, message.attempts + 1, portal.clock.now());
    return {
      message,
      settlement,
      attempt: result,
      isChannelDown: result.outcome === "retry" && result.isChannelDown === true,
    };
  },
  async run({ tx, portal, auditChange }, { owner, channel: name }, prepared) {
    if (prepared === null) return { data: { sent: false } };
    const { message, settlement, attempt, isChannelDown } = prepared;
    const now = portal.clock.now();
    if (message.referralId !== null) auditChange([message.referralId], `${message.kind}: ${settlement.outcome}`);
    if (attempt) await recordAttempt(tx, message.id, attempt.outcome, attempt.detail, now);
    const isOurs = await settleMessage(tx, message.id, owner, settlement, now);
    if (isOurs && settlement.outcome !== message.outcome)
      await logDelivery(tx, { ...message, ...settlement, logType: channelOf(name).logType }, now);
    return { data: { sent: true, isChannelDown } };
  },
});

/** Why a message is not sent at all: nobody knows whether it was, it is too late, or it is not wanted any more. */
async function endedBefore(
  db: Db,
  portal: Portal,
  { codes, gateway }: Channel<unknown>,
  message: ClaimedMessage,
): Promise<{ settlement: Settlement; attempt: { outcome: string; detail: string } | null } | null> {
  const nothingMore = { nextAt: null, reference: null };
  if (message.isInterrupted && !gateway(portal).deduplicates) {
    return {
      settlement: { outcome: "unknown", code: codes.unknown, detail: null, ...nothingMore },
      attempt: { outcome: "unknown", detail: "interrupted" },
    };
  }
  if (message.isExpired)
    return {
      settlement: { outcome: "failed", code: codes.failed, detail: "Blev ikke sendt i tide", ...nothingMore },
      attempt: null,
    };
  const reason = (await kindHooks[message.kind].recheck?.(db, message)) ?? null;
  return reason === null
    ? null
    : { settlement: { outcome: "withdrawn", code: codes.withdrawn, detail: reason, ...nothingMore }, attempt: null };
}

async function pollOne(
  portal: Portal,
  channel: Channel<unknown>,
  message: ClaimedMessage,
  owner: string,
): Promise<Prepared> {
  const result: SendResult | null = await attemptToPoll(portal, channel, { message, owner });
  const settlement = settlementOf(
    channel,
    result ?? { outcome: "accepted", detail: "" },
    message.attempts,
    portal.clock.now(),
  );
  return { message, settlement, attempt: result, isChannelDown: false };
}

import { z } from "zod";
import { change, execute, external, plainInput, read } from "~/access/operation.server";
import { insertStoredFile, newStoredFile } from "~/files/stored-file-store.server";
import {
  attachFile,
  changeRecipient,
  claimMessage,
  isAnyDue,
  recordAttempt,
  settleOutboxMessage,
} from "./claim-store.server";
import type { ClaimedMessage } from "./port";
import { addMinutes, differenceInHours } from "date-fns";
import type { Caller } from "~/access/caller";
import { storeLetter } from "~/files/store-file.server";
import type { SendResult } from "~/gateways/sending/port";
import type { Portal } from "~/portal.server";
import { attemptToPoll, attemptToSend, renewingLease } from "./attempt.server";
import type { Channel } from "./channels/channel.server";
import { channels } from "./channels/index.server";
import { type ChannelName, channelNames, type FailureReason } from "./delivery-outcome";
import { followOutcome, invalidateFor } from "./settle-messages.server";
import { type Settlement, settlementOf } from "./settlement";

/**
 * Records the file made for a message just before it is sent. Returns `data.storedFileId`, or nothing if another worker
 * holds the lease.
 */
export const attachMadeFile = change({
  name: "outbox.attachFile",
  permission: "system",
  input: z.object({ outboxId: z.number().int(), owner: z.string(), file: newStoredFile }),
  async run({ tx, now }, { outboxId, owner, file }) {
    const storedFileId = await insertStoredFile(tx, file, now);
    return (await attachFile(tx, outboxId, owner, storedFileId)) ? { data: { storedFileId } } : {};
  },
});

const channelName = z.enum(channelNames);

const channelOf = (name: ChannelName) => channels[name] as Channel<unknown>;

const hasLane = (portal: Portal, name: ChannelName) => channelOf(name).gateway(portal).mode !== "batch";

/** Hours after which a message whose check cannot be made fails. */
const MAX_WAIT_HOURS = 24;

const laneOf = (portal: Portal, name: ChannelName) => ({
  channel: name,
  polls: channelOf(name).poll !== undefined || channelOf(name).gateway(portal).poll !== undefined,
});

/** Whether a lane has work. Asked by an idle worker, because it writes no audit row. */
export const readDue = read({
  name: "outbox.readDue",
  permission: "system",
  input: z.object({ channel: channelName }),
  async run({ db, now, portal }, { channel }) {
    return { isDue: hasLane(portal, channel) && (await isAnyDue(db, laneOf(portal, channel), now)) };
  },
});

type Prepared = {
  message: ClaimedMessage;
  settlement: Settlement;
  attempt: { outcome: string; detail: string } | null;
  isChannelDown: boolean | null;
} | null;

/**
 * Sends one due message of a channel, or polls one. `data.sent` is false when nothing was due; `data.isChannelDown`
 * tells whether the next message would meet the same error (null without contact); `data.isInDoubt` that the outcome is
 * unknown. Order: claim, connect, commit that sending begins, send, record. A process that dies before the third step
 * sends again; after it, only a deduplicating gateway does.
 */
export const sendMessage = external({
  name: "outbox.send",
  permission: "system",
  input: z.object({ owner: z.string().min(1), channel: channelName }),
  async prepare({ db, portal, caller }, { owner, channel: name }): Promise<Prepared> {
    if (!hasLane(portal, name)) return null;
    const channel = channelOf(name);
    const lane = { ...laneOf(portal, name), leaseSeconds: channel.leaseSeconds };
    const message = await claimMessage(db, portal.secrets, lane, owner, portal.clock.now());
    if (message === null) return null;
    if (message.outcome === "awaiting") return pollOne(portal, channel, message, owner);
    const ended = await endedBefore(portal, channel, { message, owner });
    if (ended) return { message, isChannelDown: null, ...ended };
    if (!(await makeFile(portal, channel, { message, owner, caller }))) return null;
    await readContent(portal, channel, { message, owner });
    const result = await attemptToSend(portal, channel, { message, owner });
    if (result === null) return null;
    const settlement = settlementOf(channel, result, message, portal.clock.now());
    return {
      message,
      settlement,
      attempt: result,
      isChannelDown: "isChannelDown" in result && result.isChannelDown === true,
    };
  },
  async run(context, { owner }, prepared) {
    if (prepared === null) return { data: { sent: false } };
    const { tx, portal, auditChange } = context;
    const { message, settlement, attempt, isChannelDown } = prepared;
    const now = portal.clock.now();
    if (message.referralId !== null) auditChange([message.referralId], `${message.kind}: ${settlement.outcome}`);
    if (attempt) await recordAttempt(tx, message.id, { ...attempt, isChannelDown: isChannelDown === true }, now);
    const isOurs = await settleOutboxMessage(tx, message.id, owner, settlement, now);
    if (isOurs && settlement.outcome !== message.outcome) {
      await followOutcome(tx, portal, message, settlement, now);
      invalidateFor(context, message);
    }
    return { data: { sent: true, isChannelDown, isInDoubt: settlement.outcome === "unknown" } };
  },
});

/** Why a message is not sent now: it may have been sent before, is expired or unwanted, or its check cannot be made. */
async function endedBefore(
  portal: Portal,
  channel: Channel<unknown>,
  { message, owner }: { message: ClaimedMessage; owner: string },
): Promise<{ settlement: Settlement; attempt: { outcome: string; detail: string } | null } | null> {
  const { codes, gateway } = channel;
  // An earlier attempt may have sent it, so it cannot be marked as not sent.
  const mayHaveLeft = message.isInterrupted || message.reference !== null;
  const ended = (
    wanted: "failed" | "unknown" | "withdrawn",
    {
      detail,
      reason = null,
      code = codes[wanted],
    }: Pick<Settlement, "detail"> & { reason?: FailureReason | null; code?: number },
  ) => {
    const settled = mayHaveLeft ? ({ outcome: "unknown", code: codes.unknown } as const) : { outcome: wanted, code };
    return { settlement: { ...settled, detail, reason, nextAt: null, reference: null }, attempt: null };
  };
  if (message.isUnreadable)
    return ended("failed", { detail: "Kan ikke læses med den nuværende nøgle", reason: "unreadable" });
  if (message.isInterrupted && !gateway(portal).deduplicates)
    return { ...ended("unknown", { detail: null }), attempt: { outcome: "unknown", detail: "interrupted" } };
  if (message.file === null) return ended("failed", { detail: "Filen findes ikke længere", reason: "fileMissing" });
  const { recheck } = portal.kindHooks[message.kind];
  const notNow = recheck
    ? await renewingLease(portal, channel, { message, owner }, () => recheck(portal, message))
    : null;
  if (notNow !== null && !("to" in notNow) && notNow.outcome !== "wait") return ended(notNow.outcome, notNow);
  if (message.isExpired)
    return ended("failed", {
      detail: message.detail ?? "Blev ikke sendt i tide",
      reason: message.reason ?? "tooLate",
    });
  if (notNow === null) return null;
  if ("to" in notNow) {
    message.to = notNow.to;
    await changeRecipient(portal.db, portal.secrets, { id: message.id, owner, to: notNow.to });
    return null;
  }
  const now = portal.clock.now();
  if (message.waitingSince !== null && differenceInHours(now, message.waitingSince) >= MAX_WAIT_HOURS)
    return ended("failed", notNow);
  return {
    settlement: {
      outcome: "queued",
      code: codes.queued,
      detail: notNow.detail,
      reason: notNow.reason ?? null,
      nextAt: addMinutes(now, notNow.minutes),
      reference: null,
      isWaiting: true,
    },
    attempt: null,
  };
}

/**
 * Creates and stores the attached file, so that the log shows exactly what was sent. False if another worker holds the
 * lease.
 */
async function makeFile(
  portal: Portal,
  channel: Channel<unknown>,
  { message, owner, caller }: { message: ClaimedMessage; owner: string; caller: Caller },
): Promise<boolean> {
  const { makeFile: make } = portal.kindHooks[message.kind];
  if (!make || !channel.needsFile || message.storedFileId !== null) return true;
  const made = await renewingLease(portal, channel, { message, owner }, () => make(portal, message));
  const stored = await storeLetter(portal, made);
  const { data } = await execute(
    portal,
    caller,
    attachMadeFile,
    plainInput({ outboxId: message.id, owner, file: stored }),
  );
  if (typeof data?.storedFileId !== "number") return false;
  message.storedFileId = data.storedFileId;
  message.file = { storageKey: stored.storageKey, name: stored.fileName, sizeBytes: stored.sizeBytes };
  return true;
}

async function readContent(
  portal: Portal,
  channel: Channel<unknown>,
  { message, owner }: { message: ClaimedMessage; owner: string },
): Promise<void> {
  const { readContent: contentOf } = portal.kindHooks[message.kind];
  if (!contentOf) return;
  const content = await renewingLease(portal, channel, { message, owner }, () => contentOf(portal, message));
  if (content !== undefined) message.content = JSON.stringify(content);
}

async function pollOne(
  portal: Portal,
  channel: Channel<unknown>,
  message: ClaimedMessage,
  owner: string,
): Promise<Prepared> {
  await readContent(portal, channel, { message, owner });
  const result: SendResult | null = await attemptToPoll(portal, channel, { message, owner });
  const settlement = settlementOf(channel, result ?? { outcome: "accepted", detail: "" }, message, portal.clock.now());
  return { message, settlement: { ...settlement, attempts: message.attempts }, attempt: result, isChannelDown: null };
}

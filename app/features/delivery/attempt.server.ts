import type { AttachedFile, SendResult } from "~/gateways/sending/port";
import { FileNotInStore, StoreUnavailable, WrongContent } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";
import type { Channel, OutgoingMessage } from "./channels/channel.server";
import { globalIdOf } from "./message-ids.server";
import { withLease } from "~/features/job-register/operations.server";
import { markSending, renewLease } from "./claim-store.server";
import type { ClaimedMessage } from "./port";

interface Attempt {
  message: ClaimedMessage;
  owner: string;
}

export const keyOf = (outboxId: number) => `outbox-${outboxId}`;
export const idOfKey = (key: string) => Number(/^outbox-(\d{1,15})$/.exec(key)?.[1] ?? Number.NaN);

class LeaseLost extends Error {}

/** Hands a message to its gateway. Always ends with a result; null when another worker holds it. */
export async function attemptToSend<Content>(
  portal: Portal,
  channel: Channel<Content>,
  attempt: Attempt,
): Promise<SendResult | null> {
  const { id } = attempt.message;
  const message = outgoing<Content>(portal, attempt.message);
  const { deduplicates, connectsFirst } = channel.gateway(portal);
  const progress = { hasBegun: false, isLost: false };
  const begin = async () => {
    const marked = { id, owner: attempt.owner, sender: channel.sender?.(portal) ?? null };
    if (!(await markSending(portal.db, marked, portal.clock.now()))) {
      progress.isLost = true;
      throw new LeaseLost();
    }
    progress.hasBegun = true;
  };
  if (connectsFirst !== true) {
    await begin().catch(ignoreLostLease);
    if (progress.isLost) return null;
  }
  const doubt = (): SendResult => {
    if (!progress.hasBegun) return { outcome: "retry", detail: "afbrudt", reason: "noConnection", isChannelDown: true };
    return deduplicates
      ? { outcome: "retry", detail: "afbrudt", reference: message.globalId }
      : { outcome: "unknown", detail: "afbrudt", isChannelDown: true };
  };
  const send = (signal: AbortSignal) => channel.send(portal, message, signal, begin);
  const result = await underLease(portal, channel, attempt, send, doubt);
  return progress.isLost ? null : result;
}

function ignoreLostLease(error: unknown) {
  if (!(error instanceof LeaseLost)) throw error;
}

function outgoing<Content>(
  portal: Portal,
  { id, channel, rowKey, to, content, file }: ClaimedMessage,
): OutgoingMessage<Content> {
  const globalId = globalIdOf(channel, id, rowKey);
  return { key: keyOf(id), globalId, to, content: JSON.parse(content) as Content, file: attached(portal, file) };
}

const attached = ({ files }: Portal, file: ClaimedMessage["file"]): AttachedFile | null =>
  file ? { name: file.name, sizeBytes: file.sizeBytes, open: () => files.openRead(file.storageKey) } : null;

/** Asks the provider for the outcome of a message it accepted; null while unknown. */
export async function attemptToPoll<Content>(
  portal: Portal,
  channel: Channel<Content>,
  attempt: Attempt,
): Promise<SendResult | null> {
  const { id, reference } = attempt.message;
  const ask = (signal: AbortSignal) =>
    channel.poll
      ? channel.poll(portal, outgoing<Content>(portal, attempt.message), signal)
      : channel.gateway(portal).poll!({ key: keyOf(id), reference }, signal);
  return underLease(portal, channel, attempt, ask, () => null);
}

/** Milliseconds a gateway has for reporting after its time limit. */
const GRACE_MS = 2000;

/**
 * Renews the lease during work and aborts it after the channel's time limit. Work that throws or hangs returns `doubt`,
 * because it is unknown how far it got.
 */
async function underLease<R>(
  portal: Portal,
  channel: Pick<Channel<never>, "leaseSeconds" | "timeoutSeconds">,
  attempt: Attempt,
  work: (signal: AbortSignal) => Promise<R>,
  doubt: () => R,
): Promise<R | SendResult> {
  const limit = AbortSignal.timeout(channel.timeoutSeconds * 1000);
  const givenUp = new Promise<R>((resolve) => {
    limit.addEventListener("abort", () => setTimeout(() => resolve(doubt()), GRACE_MS).unref(), { once: true });
  });
  try {
    return await renewingLease(portal, channel, attempt, () => Promise.race([work(limit), givenUp]));
  } catch (error) {
    portal.log.error({ err: error, outboxId: attempt.message.id }, "gateway failed");
    return ofStore(error, doubt());
  }
}

/**
 * Maps a file store error to waiting or failing instead of doubt. Channels with files either deduplicate or fetch the
 * file first, so nothing has been sent.
 */
function ofStore<R>(error: unknown, doubt: R): R | SendResult {
  if (doubt === null) return doubt;
  if (error instanceof StoreUnavailable) return { outcome: "retry", detail: "Filerne kan ikke nås lige nu" };
  if (error instanceof FileNotInStore)
    return { outcome: "refused", detail: "Filen findes ikke længere", reason: "fileMissing" };
  return error instanceof WrongContent ? { outcome: "refused", detail: "Filen er ikke, som den blev gemt" } : doubt;
}

export function renewingLease<R>(
  portal: Portal,
  { leaseSeconds }: Pick<Channel<never>, "leaseSeconds">,
  { message, owner }: Attempt,
  work: () => Promise<R>,
): Promise<R> {
  const renew = () => renewLease(portal.db, message.id, owner, leaseSeconds, portal.clock.now());
  return withLease({ seconds: leaseSeconds, renew, log: portal.log }, work);
}

import { execute, plainInput } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { readDue, sendMessage } from "~/features/delivery/send-message.server";
import { isPausedCopy } from "~/features/copies/copy-state.server";
import type { Portal } from "~/portal.server";
import { backOffMs, type Loop, MAX_BACK_OFF_MS, startLoop } from "./loop.server";
import { systemCaller } from "./system-caller";

const IDLE_MS = 1000;

/**
 * Sends what is due in one channel, as many messages at once as the channel takes. Lanes know nothing of each other: a provider that hangs
 * holds up its own messages alone.
 */
export function startLane(portal: Portal, channel: ChannelName, owner: string): Loop {
  const caller = systemCaller(`lane ${channel}`);
  const pause = createPause();
  const look = shared(0.9 * IDLE_MS, async () => {
    const { isDue } = await execute(portal, caller, readDue, plainInput({ channel }));
    return isDue && !(await isPausedCopy(portal.db));
  });
  const sendNext = async (slot: string) => {
    if (!pause.isOver() || !(await look())) return "idle" as const;
    const attempt = pause.begin();
    if (attempt === null) return "idle" as const;
    try {
      const { data: found } = await execute(portal, caller, sendMessage, plainInput({ owner: slot, channel }));
      if (found?.sent !== true) return "idle" as const;
      if (found.isChannelDown === true) attempt.failed({ isInDoubt: found.isInDoubt === true });
      else if (found.isChannelDown === false) attempt.succeeded();
      return "again" as const;
    } finally {
      attempt.end();
    }
  };
  // A lease names its slot: after a pause of the machine two slots of one process must not both count as its holder.
  const slots = Array.from({ length: channels[channel].concurrency }, (_, slot) =>
    startLoop(`lane ${channel}`, { log: portal.log, idleMs: IDLE_MS }, () => sendNext(`${owner}/${slot}`)),
  );
  return {
    async stop() {
      await Promise.all(slots.map((slot) => slot.stop()));
    },
  };
}

/** A question that all slots of a lane ask together; its 'no' holds for all of them for `quietMs`. */
function shared(quietMs: number, ask: () => Promise<boolean>): () => Promise<boolean> {
  let quietUntil = 0;
  let asking: Promise<boolean> | null = null;
  return async () => {
    if (performance.now() < quietUntil) return false;
    asking ??= ask().finally(() => (asking = null));
    const isDue = await asking;
    if (!isDue) quietUntil = performance.now() + quietMs;
    return isDue;
  };
}

/**
 * How a lane's slots leave a provider alone while it is down as a whole: all of them for an ever longer time, and then one message at a time until
 * one is taken. A provider that puts messages in doubt costs one each time it is asked, so it is left alone for the longest time at once.
 */
function createPause() {
  let failures = 0;
  let until = 0;
  let isProbing = false;
  const isOver = () => failures === 0 || (!isProbing && performance.now() >= until);
  return {
    isOver,
    /** Null while another slot asks a provider that was down. */
    begin() {
      if (!isOver()) return null;
      const isProbe = failures > 0;
      isProbing ||= isProbe;
      return {
        failed({ isInDoubt }: { isInDoubt: boolean }) {
          // Of the messages that were under way together only the first counts, unless a later one needs a longer pause.
          if (isProbe || failures === 0) failures += 1;
          until = Math.max(until, performance.now() + (isInDoubt ? MAX_BACK_OFF_MS : backOffMs(failures)));
        },
        succeeded() {
          // What was under way before the first failure says nothing of the provider since.
          if (isProbe) failures = 0;
        },
        end() {
          if (isProbe) isProbing = false;
        },
      };
    },
  };
}

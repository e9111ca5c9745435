import { randomUUID } from "node:crypto";
import { channelNames, type ChannelName } from "~/features/delivery/delivery-outcome";
import type { Portal } from "~/portal.server";
import { type Job, jobs } from "./jobs.server";
import { type Loop, scheduleJob, backOffMs, MAX_BACK_OFF_MS, startLoop } from "./loop.server";
import { execute, plainInput } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import { readDue, sendMessage } from "~/features/delivery/send-message.server";
import { isPausedCopy } from "~/features/copies/operations.server";
import { systemCaller } from "~/access/system-caller";
import { cleanLocalDisk } from "~/features/maintenance/operations.server";

/** Starts a lane per channel and all jobs; `stop()` waits for running work. */
export function startWorker(portal: Portal): Loop {
  const owner = randomUUID();
  const loops: Loop[] = [
    ...channelNames.map((channel) => startLane(portal, channel, owner)),
    ...Object.entries<Job>(jobs).map(([name, job]) => scheduleJob(portal, name, job, owner)),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

const IDLE_MS = 1000;

/**
 * Sends due messages of a channel, several at once. Lanes are independent: a hanging provider delays only its own
 * messages.
 */
function startLane(portal: Portal, channel: ChannelName, owner: string): Loop {
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
  // Each slot has its own lease, so that after a suspended machine two slots of a process cannot both hold it.
  const slots = Array.from({ length: channels[channel].concurrency }, (_, slot) =>
    startLoop(`lane ${channel}`, { log: portal.log, idleMs: IDLE_MS }, () => sendNext(`${owner}/${slot}`)),
  );
  return {
    async stop() {
      await Promise.all(slots.map((slot) => slot.stop()));
    },
  };
}

/** A question shared by a lane's slots; 'no' is valid for `quietMs`. */
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
 * Pauses a lane's slots while its provider is down: increasingly long, then one message at a time. A provider that
 * leaves messages in doubt gets the longest pause at once.
 */
function createPause() {
  let failures = 0;
  let until = 0;
  let isProbing = false;
  const isOver = () => failures === 0 || (!isProbing && performance.now() >= until);
  return {
    isOver,
    begin() {
      if (!isOver()) return null;
      const isProbe = failures > 0;
      isProbing ||= isProbe;
      return {
        failed({ isInDoubt }: { isInDoubt: boolean }) {
          // Of concurrent failures only the first counts, unless a later one needs a longer pause.
          if (isProbe || failures === 0) failures += 1;
          until = Math.max(until, performance.now() + (isInDoubt ? MAX_BACK_OFF_MS : backOffMs(failures)));
        },
        succeeded() {
          // Messages sent before the failure say nothing about the provider now.
          if (isProbe) failures = 0;
        },
        end() {
          if (isProbe) isProbing = false;
        },
      };
    },
  };
}

const EVERY_MS = 60 * 60_000;

/** Cleans the local disk hourly; each process does its own, so no lease is needed. */
export function startLocalCleanup(portal: Portal): Loop {
  return startLoop("tidying", { log: portal.log, idleMs: EVERY_MS }, async () => {
    await execute(portal, systemCaller("tidying"), cleanLocalDisk);
    return "idle";
  });
}

import { randomUUID } from "node:crypto";
import { channelNames } from "~/features/delivery/delivery-outcome";
import type { Portal } from "~/portal.server";
import { type Job, jobs } from "./jobs.server";
import { startLane } from "./lane.server";
import { type Loop, scheduleJob } from "./loop.server";

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

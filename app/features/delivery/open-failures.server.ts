import type { ChangeContext } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import { type ChannelName, channelNames } from "./delivery-outcome";
import { countFailures, findChannelsDown } from "./failure-store.server";

const FAILURES = "failures of deliveries";

type Reader = Pick<Portal, "cache" | "db" | "email" | "sms" | "eboks" | "print" | "edi" | "imageArchive">;

export const lanesOf = (portal: Reader): ChannelName[] =>
  channelNames.filter((name) => channels[name].gateway(portal as Portal).mode !== "batch");

/**
 * Failures to handle: their number, since when, and channels that are down, whose messages are not counted. Cached for a
 * minute unless changed by this process.
 */
export async function readOpenFailures(portal: Reader, now: Date) {
  return portal.cache.get(FAILURES, async () => {
    const lanes = lanesOf(portal);
    const down = await findChannelsDown(portal.db, lanes, now);
    const { count, oldest } = await countFailures(portal.db, {
      now,
      lanes: lanes.filter((lane) => !down.some(({ channel }) => channel === lane)),
    });
    return {
      count,
      oldest: oldest === null ? null : new Date(oldest),
      down: down.map((each) => ({ ...each, since: new Date(each.since) })),
    };
  });
}

export async function countOpenFailures(portal: Reader, now: Date): Promise<number> {
  const { count, down } = await readOpenFailures(portal, now);
  return count + down.length;
}

export function invalidateFailures({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(FAILURES));
}

import type { ChangeContext } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { fromMoment } from "~/text/dates";
import { channels } from "./channels/index.server";
import { type ChannelName, channelNames } from "./delivery-outcome";
import { countFailures, findChannelsDown } from "./failure-store.server";

const FAILURES = "failures of deliveries";

type Reader = Pick<Portal, "cache" | "db" | "email" | "sms" | "eboks" | "print" | "edi" | "imageArchive">;

/** The channels that a worker empties; letters that a person prints wait for their batch. */
export const lanesOf = (portal: Reader): ChannelName[] =>
  channelNames.filter((name) => channels[name].gateway(portal as Portal).mode !== "batch");

/** A channel through which nothing leaves at the moment, and what waits for it. */
export interface ChannelDown {
  channel: ChannelName;
  count: number;
  since: Date;
  /** False: not attempted, as when no worker runs. */
  isTried: boolean;
  reason: string | null;
}

/** What a person has to look after: so many messages, since when, and which channels are down as a whole, whose waiting messages are not counted. */
export interface OpenFailures {
  count: number;
  oldest: Date | null;
  down: ChannelDown[];
}

/** At most a minute old, unless it was changed here. */
export async function readOpenFailures(portal: Reader, now: Date): Promise<OpenFailures> {
  return portal.cache.get(FAILURES, async () => {
    const lanes = lanesOf(portal);
    const down = await findChannelsDown(portal.db, lanes, now);
    const { count, oldest } = await countFailures(portal.db, {
      now,
      lanes: lanes.filter((lane) => !down.some(({ channel }) => channel === lane)),
    });
    return {
      count,
      oldest: oldest === null ? null : fromMoment(oldest),
      down: down.map((each) => ({ ...each, since: fromMoment(each.since) })),
    };
  });
}

/** The number for a page's line of what waits: each message, and each channel that is down. */
export async function countOpenFailures(portal: Reader, now: Date): Promise<number> {
  const { count, down } = await readOpenFailures(portal, now);
  return count + down.length;
}

/** After somebody has looked after one. */
export function invalidateFailures({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(FAILURES));
}

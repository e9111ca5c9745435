import { z } from "zod";
import type { Person } from "~/access/actor";
import { change, read } from "~/access/operation.server";
import { markClosed } from "~/access/session-store.server";
import type { Portal } from "~/portal.server";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { sealFilter } from "~/lists/seal-filter.server";
import { STANDARD_ACTIVE_DAYS } from "~/features/settings/clinic-settings";
import { findSetting } from "~/features/settings/read-setting.server";
import { countWaiting } from "~/features/referrals/store/status-count-store.server";
import { overview } from "./overview-list.server";
import { CALLED_UP, CALLED_UP_AGAIN, NOT_REACHED } from "~/features/referrals/model/status";

export interface CallUpStats {
  isShowAlert: boolean;
  /** How many days a called-up referral may wait. */
  statusActiveDays: number;
  calledCount: number;
  called2TimesCount: number;
  failedCount: number;
}

/** What `invalidate` takes after a change of statuses. */
export const CALL_UP_STATS = "call-up stats";

/** Called-up referrals that have waited too long, and those nobody reached (GET /Visits/callupstats); up to a minute old. */
export function readCallUpStats({ cache, db }: Pick<Portal, "cache" | "db">, now: Date): Promise<CallUpStats> {
  return cache.get(CALL_UP_STATS, async () => {
    const statusActiveDays = Number((await findSetting(db, "statusActiveDays")) ?? STANDARD_ACTIVE_DAYS);
    const counts = await countWaiting(db, {
      ever: [NOT_REACHED],
      since: [CALLED_UP, CALLED_UP_AGAIN],
      before: startOfDay(waitingSince(now, statusActiveDays)),
    });
    const [calledCount, called2TimesCount, failedCount] = [CALLED_UP, CALLED_UP_AGAIN, NOT_REACHED].map(
      (status) => counts.get(status) ?? 0,
    ) as [number, number, number];
    return {
      isShowAlert: calledCount + called2TimesCount + failedCount > 0,
      statusActiveDays,
      calledCount,
      called2TimesCount,
      failedCount,
    };
  });
}

/** The numbers by themselves (GET /Visits/callupstats). */
export const readCallUps = read({
  name: "readCallUps",
  permission: "referral.setStatus",
  input: z.object({}),
  run: ({ portal, now }) => readCallUpStats(portal, now),
});

/** The day before whose beginning a status must date to have waited too long. */
function waitingSince(now: Date, days: number): string {
  return addDays(localDate(now), -days);
}

/** The banner's numbers, each with the sealed filter that lists what it counts; null when there is nothing to warn of. */
export async function callUpBanner(portal: Pick<Portal, "cache" | "db" | "secrets">, person: Person, now: Date) {
  const stats = await readCallUpStats(portal, now);
  if (!stats.isShowAlert) return null;
  const inStatusSince = waitingSince(now, stats.statusActiveDays);
  const counts = [
    { kind: "called" as const, count: stats.calledCount, filter: { statuses: [CALLED_UP], inStatusSince } },
    {
      kind: "calledTwice" as const,
      count: stats.called2TimesCount,
      filter: { statuses: [CALLED_UP_AGAIN], inStatusSince },
    },
    { kind: "notReached" as const, count: stats.failedCount, filter: { statuses: [NOT_REACHED] } },
  ];
  return {
    days: stats.statusActiveDays,
    counts: counts.map(({ filter, ...each }) => ({
      ...each,
      f: sealFilter(overview, portal.secrets, person, filter),
    })),
  };
}

/** Closing the banner sets the session's flag `callupPopup` to false. */
export const closeCallUpStats = change({
  name: "closeCallUpStats",
  permission: "referral.setStatus",
  input: z.object({}),
  async run({ tx, caller }) {
    await markClosed(tx, caller.sessionId ?? "", "callUpStats");
    return {};
  },
});

import { z } from "zod";
import type { Person } from "~/access/actor";
import { change, read } from "~/access/operation.server";
import { markClosed } from "~/access/session-store.server";
import type { Portal } from "~/portal.server";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { sealFilter } from "~/lists/filter.server";
import { STANDARD_ACTIVE_DAYS } from "~/features/settings/clinic-settings";
import { findSetting } from "~/features/settings/settings.server";
import { countWaiting } from "~/features/referrals/store/sent-items-store.server";
import { overview } from "./overview-list.server";
import { CALLED_UP, CALLED_UP_AGAIN, NOT_REACHED } from "~/features/referrals/model/status";

export interface CallUpStats {
  isShowAlert: boolean;
  statusActiveDays: number;
  calledCount: number;
  called2TimesCount: number;
  failedCount: number;
}

export const CALL_UP_STATS = "call-up stats";

/**
 * Numbers of called-up referrals that waited too long, and of unreachable patients (GET /Visits/callupstats); cached
 * for a minute.
 */
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

export const readCallUps = read({
  name: "readCallUps",
  permission: "referral.setStatus",
  input: z.object({}),
  run: ({ portal, now }) => readCallUpStats(portal, now),
});

function waitingSince(now: Date, days: number): string {
  return addDays(localDate(now), -days);
}

/** The banner's numbers, each with its sealed filter; null without a warning. */
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

export const closeCallUpStats = change({
  name: "closeCallUpStats",
  permission: "referral.setStatus",
  input: z.object({}),
  async run({ tx, caller }) {
    await markClosed(tx, caller.sessionId ?? "", "callUpStats");
    return {};
  },
});

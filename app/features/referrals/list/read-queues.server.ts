import type { Person } from "~/access/actor";
import { scopeKey } from "~/cache/cache.server";
import { can } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { calendarDaysBetween, startOfDay } from "~/text/copenhagen.server";
import { localDate } from "~/text/dates";
import { sealFilter } from "~/lists/filter.server";
import { sortParam } from "~/lists/list";
import type { OverviewFilter } from "./filter-sql.server";
import { overviewView, SORT } from "./filters";
import { countAlarmingAnswers, countAnswers } from "~/features/delivery/store.server";
import { countRows } from "~/lists/rows.server";
import { countByStatus, countUrgent, countWaiting } from "../store/sent-items-store.server";
import { overview } from "./overview-list.server";
import type { QueueKind } from "./queue-kinds";
import { openList } from "~/lists/define-list.server";
import {
  AWAITING_MATERIAL,
  AWAITING_TRIAGE,
  CANCELLED_BY_SMS,
  NEEDS_NEW_TIME,
  READY_FOR_CALL_UP,
  SURGEONS_WORK,
  TRIAGED_URGENT,
  CALLED_UP,
  CALLED_UP_AGAIN,
  NOT_REACHED,
  MAY_AWAIT_TRIAGE,
} from "../model/statuses";
import { change, read, type ChangeContext } from "~/access/operation.server";
import { markClosed } from "~/access/session-store.server";
import { addDays } from "~/text/calendar";
import { STANDARD_ACTIVE_DAYS } from "~/features/settings/clinic-settings";
import { findSetting } from "~/features/settings/settings.server";
import { COUNTS } from "~/lists/read-page.server";

export interface Queue {
  kind: QueueKind;
  count: number;
  isMore?: true;
  /** Days since the oldest arrived, Copenhagen calendar; null where age is meaningless. */
  oldestDays: number | null;
  /** Empty for queues with pages of their own. */
  f: string;
  sort: string;
}

const statusesOf = {
  awaitingTriage: [AWAITING_TRIAGE],
  urgent: [TRIAGED_URGENT],
  readyForCallUp: [READY_FOR_CALL_UP],
  // A time that was cancelled waits until another status says what came of it.
  needsNewTime: [CANCELLED_BY_SMS, NEEDS_NEW_TIME],
  awaitingMaterial: [AWAITING_MATERIAL],
};
type KindOfStatuses = keyof typeof statusesOf;

const forStaff: KindOfStatuses[] = ["awaitingTriage", "urgent", "readyForCallUp", "needsNewTime", "awaitingMaterial"];
const forOthers: KindOfStatuses[] = ["awaitingTriage", "awaitingMaterial"];

/** First queues of a role's line; a full line has room for three beside the failed messages. */
const surgeonsFirst: QueueKind[] = ["alarmingSms", "untriagedUrgent", "awaitingTriage", "mine"];
const othersFirst: QueueKind[] = [
  "alarmingSms",
  "newMessages",
  "untriagedUrgent",
  "possiblyCancelled",
  "toTell",
  "needsNewTime",
  "readyForCallUp",
];

const URGENT_FIRST = sortParam({ key: SORT.triage, ascending: true });
const LONGEST_SILENT_FIRST = sortParam({ key: SORT.nextDate, ascending: true });

/** What waits for a person does so whatever the referral's status: a message on a closed one, a time cancelled in TU. */
const ANY_STATUS: OverviewFilter = { statuses: [...overview.statuses!.all] };
const UNANSWERED: OverviewFilter = { ...ANY_STATUS, newMessages: true };

const QUEUES = "queues of";

/**
 * Queues in the actor's scope with the age of the oldest; cached for a minute unless changed by this process. Empty
 * queues are left out.
 */
export async function readQueues(
  { cache, db, secrets }: Pick<Portal, "cache" | "db" | "secrets">,
  person: Person,
  now: Date,
): Promise<Queue[]> {
  const isStaff = can(person, "referral.setStatus");
  const kinds = isStaff ? forStaff : forOthers;
  const day = localDate(now);
  const { maxCounted } = overview;
  const count = (filter: OverviewFilter) =>
    countRows(db, openList(overview, { secrets }, person, filter, null), maxCounted + 1);
  const waiting = await cache.get(`${QUEUES} ${scopeKey(person)} ${kinds.length}`, async () => {
    const held = isStaff ? await count({ heldAfter: day }) : 0;
    const today = held > 0 ? day : null;
    return {
      held,
      groups: await countByStatus(
        db,
        person,
        kinds.flatMap((kind) => statusesOf[kind]),
        today,
      ),
      urgent: await countUrgent(db, person, MAY_AWAIT_TRIAGE),
      unanswered: await count(UNANSWERED),
      toTell: isStaff ? await count({ ...ANY_STATUS, toTellOn: day }) : 0,
      withoutSurgeon: isStaff ? await count({ ...ANY_STATUS, withoutSurgeon: true }) : 0,
      silent: isStaff ? await count({ ...ANY_STATUS, silentOn: day }) : 0,
    };
  });
  const there: OverviewFilter = waiting.held > 0 ? { notHeldOn: day } : {};
  const { urgent, groups } = waiting;
  const isSurgeon = can(person, "referral.followOwnPatients");
  const own: OverviewFilter = { statuses: SURGEONS_WORK, mine: true, ...there };
  const ownCount = isSurgeon ? await cache.get(`${QUEUES} own ${person.id}`, () => count(own)) : 0;
  // Not cached: the worker, which places answers, may be another process.
  const readsAnswers = can(person, "patientMessage.send");
  const possibly = readsAnswers ? await countAnswers(db, "possibly") : 0;
  const alarming = readsAnswers ? await countAlarmingAnswers(db) : 0;
  const queue = (
    kind: QueueKind,
    counted: { count: number; oldest?: string } | null | undefined,
    filter: OverviewFilter | null,
    sort = URGENT_FIRST,
  ): Queue[] =>
    counted && counted.count > 0
      ? [
          {
            kind,
            ...(counted.count > maxCounted ? { count: maxCounted, isMore: true } : { count: counted.count }),
            oldestDays: counted.oldest === undefined ? null : calendarDaysBetween(new Date(counted.oldest), now),
            f: filter ? sealFilter(overview, secrets, person, filter) : "",
            sort: filter ? sort : "",
          },
        ]
      : [];
  const standardSort = sortParam(overviewView.defaultSort);
  const triage: OverviewFilter = { statuses: MAY_AWAIT_TRIAGE, onlyUrgent: true, untriaged: true };
  const queues = [
    ...queue("silent", { count: waiting.silent }, { ...ANY_STATUS, silentOn: day }, LONGEST_SILENT_FIRST),
    ...queue("untriagedUrgent", urgent, triage),
    ...queue("alarmingSms", { count: alarming }, null),
    ...queue("possiblyCancelled", { count: possibly }, null),
    ...queue("toTell", { count: waiting.toTell }, { ...ANY_STATUS, toTellOn: day }),
    ...queue("mine", { count: ownCount }, own),
    ...kinds.flatMap((kind) => {
      const statuses = statusesOf[kind];
      const found = groups.filter(({ status }) => statuses.includes(status));
      const [oldest] = found.map((group) => group.oldest).sort();
      return queue(kind, { count: found.reduce((sum, group) => sum + group.count, 0), oldest }, { statuses, ...there });
    }),
    ...queue("withoutSurgeon", { count: waiting.withoutSurgeon }, { ...ANY_STATUS, withoutSurgeon: true }),
    ...queue("newMessages", { count: waiting.unanswered }, UNANSWERED, standardSort),
    ...queue("onHold", { count: waiting.held }, { heldAfter: day }, standardSort),
  ];
  const first = isSurgeon ? surgeonsFirst : othersFirst;
  const rank = ({ kind }: Queue) => (first.includes(kind) ? first.indexOf(kind) : first.length);
  return queues.sort((a, b) => rank(a) - rank(b));
}

export const CALL_UP_STATS = "call-up stats";

/**
 * Numbers of called-up referrals that waited too long, and of unreachable patients (GET /Visits/callupstats); cached
 * for a minute.
 */
function readCallUpStats({ cache, db }: Pick<Portal, "cache" | "db">, now: Date) {
  return cache.get(CALL_UP_STATS, async () => {
    const statusActiveDays = Number((await findSetting(db, "statusActiveDays")) ?? STANDARD_ACTIVE_DAYS);
    const counts = await countWaiting(db, {
      ever: [NOT_REACHED],
      since: [CALLED_UP, CALLED_UP_AGAIN],
      before: startOfDay(waitingSince(now, statusActiveDays)),
    });
    return {
      isShowAlert: [...counts.values()].some((count) => count > 0),
      statusActiveDays,
      calledCount: counts.get(CALLED_UP) ?? 0,
      called2TimesCount: counts.get(CALLED_UP_AGAIN) ?? 0,
      failedCount: counts.get(NOT_REACHED) ?? 0,
    };
  });
}

export const readCallUps = read({
  name: "readCallUps",
  permission: "referral.setStatus",
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

/** Hides the banner until the session ends. */
export const closeCallUpStats = change({
  name: "closeCallUpStats",
  permission: "referral.setStatus",
  async run({ tx, caller }) {
    await markClosed(tx, caller.sessionId ?? "", "callUpStats");
    return {};
  },
});

export function invalidateCounts({
  afterCommit,
  portal: { cache },
}: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => cache.invalidate(QUEUES, CALL_UP_STATS, COUNTS));
}

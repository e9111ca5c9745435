import type { Person } from "~/access/actor";
import { scopeKey } from "~/cache/cache.server";
import { can } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { calendarDaysBetween } from "~/text/copenhagen.server";
import { localDate } from "~/text/dates";
import { sealFilter } from "~/lists/filter.server";
import { sortParam } from "~/lists/sort";
import { type OverviewFilter, overviewView, SORT } from "./filters";
import { countAnswers } from "~/features/delivery/store.server";
import { countRows } from "~/lists/rows.server";
import { countByStatus, countUrgent } from "~/features/referrals/store/sent-items-store.server";
import { overview } from "./overview-list.server";
import { openList } from "~/lists/define-list.server";
import {
  AWAITING_MATERIAL,
  AWAITING_TRIAGE,
  READY_FOR_CALL_UP,
  SURGEONS_WORK,
  TRIAGED_URGENT,
} from "~/features/referrals/model/status";

export interface Queue {
  kind: QueueKind | "untriagedUrgent" | "mine" | "newMessages" | "onHold" | "possiblyCancelled" | "silent";
  count: number;
  /** Whether there are more than `count`. */
  isMore?: true;
  /** Days since the oldest arrived, Copenhagen calendar; null where age is meaningless. */
  oldestDays: number | null;
  /** Empty for `possiblyCancelled`, which has a page of its own. */
  f: string;
  sort: string;
}

const statusOf = {
  awaitingTriage: AWAITING_TRIAGE,
  urgent: TRIAGED_URGENT,
  readyForCallUp: READY_FOR_CALL_UP,
  awaitingMaterial: AWAITING_MATERIAL,
};
type QueueKind = keyof typeof statusOf;

const forStaff: QueueKind[] = ["awaitingTriage", "urgent", "readyForCallUp", "awaitingMaterial"];
const forOthers: QueueKind[] = ["awaitingTriage", "awaitingMaterial"];

/** Urgent first, then oldest. */
const URGENT_FIRST = sortParam({ key: SORT.triage, ascending: true });
const LONGEST_SILENT_FIRST = sortParam({ key: SORT.nextDate, ascending: true });

export const QUEUES = "queues of";

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
    const held = isStaff ? await count({ awayOn: day }) : 0;
    const today = held > 0 ? day : null;
    return {
      held,
      groups: await countByStatus(
        db,
        person,
        kinds.map((kind) => statusOf[kind]),
        today,
      ),
      urgent: await countUrgent(db, person, AWAITING_TRIAGE, today),
      unanswered: await count({ newMessages: true }),
      silent: isStaff ? await count({ silentOn: day }) : 0,
    };
  });
  const there: OverviewFilter = waiting.held > 0 ? { thereOn: day } : {};
  const link = (filter: OverviewFilter) => sealFilter(overview, secrets, person, filter);
  const days = (oldest: string) => calendarDaysBetween(new Date(oldest), now);
  const { urgent } = waiting;
  const own: OverviewFilter = { statuses: SURGEONS_WORK, mine: true, ...there };
  const ownCount = can(person, "referral.followOwnPatients")
    ? await cache.get(`${QUEUES} own ${person.id}`, () => count(own))
    : 0;
  const mine: Queue[] =
    ownCount > 0 ? [{ kind: "mine", count: ownCount, oldestDays: null, f: link(own), sort: URGENT_FIRST }] : [];
  const queues = kinds.flatMap((kind): Queue[] => {
    const group = waiting.groups.find(({ status }) => status === statusOf[kind]);
    if (!group) return [];
    return [
      {
        kind,
        count: group.count,
        oldestDays: days(group.oldest),
        f: link({ statuses: [statusOf[kind]], ...there }),
        sort: URGENT_FIRST,
      },
    ];
  });
  const first: Queue[] = urgent
    ? [
        {
          kind: "untriagedUrgent",
          count: urgent.count,
          oldestDays: days(urgent.oldest),
          f: link({ statuses: [AWAITING_TRIAGE], onlyUrgent: true, ...there }),
          sort: URGENT_FIRST,
        },
      ]
    : [];
  const silent: Queue[] =
    waiting.silent > 0
      ? [
          {
            kind: "silent",
            count: waiting.silent,
            oldestDays: null,
            f: link({ silentOn: day }),
            sort: LONGEST_SILENT_FIRST,
          },
        ]
      : [];
  // Not cached: the worker, which places answers, may be another process.
  const possibly = can(person, "patientMessage.send") ? await countAnswers(db, "possibly") : 0;
  const undecided: Queue[] =
    possibly > 0 ? [{ kind: "possiblyCancelled", count: possibly, oldestDays: null, f: "", sort: "" }] : [];
  const last: Queue[] =
    waiting.unanswered > 0
      ? [
          {
            kind: "newMessages",
            count: waiting.unanswered,
            oldestDays: null,
            f: link({ newMessages: true }),
            sort: sortParam(overviewView.defaultSort),
          },
        ]
      : [];
  const onHold: Queue[] =
    waiting.held > 0
      ? [
          {
            kind: "onHold",
            count: waiting.held,
            oldestDays: null,
            f: link({ awayOn: day }),
            sort: sortParam(overviewView.defaultSort),
          },
        ]
      : [];
  return [...silent, ...first, ...undecided, ...mine, ...queues, ...last, ...onHold].map((queue) =>
    queue.count > maxCounted ? { ...queue, count: maxCounted, isMore: true } : queue,
  );
}

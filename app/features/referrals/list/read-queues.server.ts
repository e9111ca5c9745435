import type { Person } from "~/access/actor";
import { scopeKey } from "~/access/keeper.server";
import { can } from "~/access/permissions";
import { referralScope } from "~/access/scope.server";
import type { Portal } from "~/portal.server";
import { fromMoment, localDate } from "~/text/dates";
import { sealFilter } from "~/lists/seal-filter.server";
import type { OverviewFilter } from "./filters";
import { countRows } from "~/lists/rows.server";
import { listOf, overview } from "./overview-list.server";
import {
  AWAITING_MATERIAL,
  AWAITING_TRIAGE,
  READY_FOR_CALL_UP,
  TRIAGED_URGENT,
} from "~/features/referrals/model/status";

export interface Queue {
  count: number;
  label: string;
  /** Whole days since the oldest came, by the calendar in Copenhagen; null where age says nothing. */
  oldestDays: number | null;
  /** The sealed filter that shows them. */
  f: string;
}

interface QueueKind {
  label: string;
  statuses: readonly number[];
}

const forStaff: QueueKind[] = [
  { label: "afventer visitering", statuses: [AWAITING_TRIAGE] },
  { label: "haster", statuses: [TRIAGED_URGENT] },
  { label: "klar til indkaldelse", statuses: [READY_FOR_CALL_UP] },
  { label: "afventer materiale", statuses: [AWAITING_MATERIAL] },
];
const forOthers = forStaff.filter(
  ({ statuses }) => statuses[0] === AWAITING_TRIAGE || statuses[0] === AWAITING_MATERIAL,
);

/** What `forget` takes after a change of statuses. */
export const QUEUES = "queues of";

/** What waits, in the actor's scope, with the age of the oldest; up to a minute old unless it was changed here. Empty queues are left out. */
export async function readQueues(
  { kept, db, secrets }: Pick<Portal, "kept" | "db" | "secrets">,
  person: Person,
  now: Date,
): Promise<Queue[]> {
  const kinds = can(person, "referral.setStatus") ? forStaff : forOthers;
  const waiting = await kept.keep(`${QUEUES} ${scopeKey(person)} ${kinds.length}`, async () => ({
    groups: await countByStatus(
      db,
      person,
      kinds.flatMap(({ statuses }) => statuses),
    ),
    unanswered: await countRows(db, listOf({ secrets }, person, { newMessages: true }, null)),
  }));
  const link = (filter: OverviewFilter) => sealFilter(overview, secrets, person, filter);
  const queues = kinds.flatMap(({ label, statuses }) => {
    const groups = waiting.groups.filter(({ status }) => statuses.includes(status));
    if (groups.length === 0) return [];
    const oldest = groups.map((group) => group.oldest).sort()[0]!;
    return [
      {
        label,
        count: groups.reduce((sum, group) => sum + group.count, 0),
        oldestDays: daysBetween(oldest, now),
        f: link({ statuses: [...statuses] }),
      },
    ];
  });
  if (waiting.unanswered === 0) return queues;
  return [
    ...queues,
    {
      label: waiting.unanswered === 1 ? "ny besked" : "nye beskeder",
      count: waiting.unanswered,
      oldestDays: null,
      f: link({ newMessages: true }),
    },
  ];
}

async function countByStatus(db: Portal["db"], person: Person, statuses: number[]) {
  const rows = await db
    .selectFrom("referral")
    .select((eb) => ["status", eb.fn.countAll<number>().as("count"), eb.fn.min("create_date").as("oldest")])
    .where(referralScope(person))
    .where("status", "in", statuses)
    .groupBy("status")
    .execute();
  return rows.map(({ status, count, oldest }) => ({ status, count: Number(count), oldest }));
}

function daysBetween(moment: string, now: Date): number {
  const day = (date: Date) => Date.parse(localDate(date));
  return Math.round((day(now) - day(fromMoment(moment))) / 86_400_000);
}

import { type OverviewList, statusesOf } from "~/components/overview-list/overview-list";
import { filters } from "~/features/referrals/list/filters";
import { URGENT } from "~/features/referrals/model/referral";
import { visibleLabel } from "~/features/referrals/model/status";
import { presentFilter } from "~/lists/present-filter";
import { showDate } from "~/text/dates";

type Row = OverviewList["rows"][number];
export type ShownList = ReturnType<typeof presentOverview>;
export type ShownRow = ReturnType<typeof presentRow>;

/** What the overview says, in words. */
export const presentOverview = (list: OverviewList) => ({
  ...list,
  ...presentFilter(filters, list, statusesOf(list)),
  rows: list.rows.map(presentRow),
  queues: list.queues.map((queue) => ({ ...queue, label: queueLabel(queue), saysAge: saysAge.includes(queue.kind) })),
  callUps: list.callUps && {
    days: list.callUps.days,
    counts: list.callUps.counts.map((each) => ({ ...each, label: callUpLabels[each.kind] })),
  },
  massChange: list.massChange && {
    ...list.massChange,
    statusLabel: visibleLabel(list.massChange.status, list),
  },
});

const presentRow = (row: Row) => ({
  ...row,
  cpr: row.cpr ?? "–",
  name: `${row.firstName} ${row.lastName}`.trim(),
  date: showDate(row.createdAt),
  statusSince: row.statusSince ? showDate(row.statusSince) : null,
  isUrgent: row.referenceType === URGENT,
  // Staff alone are told it at all.
  missesDentistId: row.externalDoctorId === null,
});

const queueLabels: Record<OverviewList["queues"][number]["kind"], string> = {
  awaitingTriage: "afventer visitering",
  untriagedUrgent: "hastehenvisninger venter",
  urgent: "visiteret haster",
  readyForCallUp: "klar til indkaldelse",
  awaitingMaterial: "afventer materiale",
  newMessages: "nye beskeder",
};

/** What is only to be triaged says how long it has waited; of the rest the line has room for the number. */
const saysAge: OverviewList["queues"][number]["kind"][] = ["untriagedUrgent", "awaitingTriage"];

const oneOf: Partial<typeof queueLabels> = {
  untriagedUrgent: "hastehenvisning venter",
  newMessages: "ny besked",
};

const queueLabel = ({ kind, count }: OverviewList["queues"][number]) =>
  (count === 1 && oneOf[kind]) || queueLabels[kind];

const callUpLabels = { called: "indkaldt", calledTwice: "indkaldt 2 gange", notReached: "uden held" };

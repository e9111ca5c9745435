import { openHrefs, type OverviewList, statusesOf } from "~/components/overview-list/overview-list";
import { filters } from "~/features/referrals/list/filters";
import { queueLooks } from "~/features/referrals/list/queue-kinds";
import { OTHER_NAME } from "~/features/referrals/model/name-question";
import { URGENT } from "~/features/referrals/model/referral";
import { TO_BE_TOLD } from "~/features/referrals/model/told-time";
import { visibleLabel } from "~/features/referrals/model/status";
import {
  awaitedText,
  filesNotReceivedText,
  BACK_FROM_HOLD,
  missingText,
  onHoldText,
  silentText,
} from "~/features/referrals/model/missing-texts";
import { presentFilter } from "~/lists/filters";
import { showCount } from "~/text/numbers";
import { showDate } from "~/text/dates";
import type { IconName } from "~/ui/icons/icon-names";

type Row = OverviewList["rows"][number];
export type ShownList = ReturnType<typeof presentOverview>;
export type ShownRow = ReturnType<typeof presentRow>;

export function presentOverview(list: OverviewList) {
  const hrefOf = openHrefs(list);
  return {
    ...list,
    ...presentFilter(filters, list, statusesOf(list)),
    rows: list.rows.map((row) => presentRow(row, hrefOf(row))),
    queues: list.queues.map(({ isMore, ...queue }) => ({
      ...queue,
      label: labelOf(queue),
      count: isMore ? `over ${showCount(queue.count)}` : queue.count,
      look: queueLooks[queue.kind],
    })),
    callUps: list.callUps && {
      days: list.callUps.days,
      counts: list.callUps.counts.map((each) => ({ ...each, label: callUpLabels[each.kind] })),
    },
    massChange: list.massChange && {
      ...list.massChange,
      statusLabel: visibleLabel(list.massChange.status, list),
    },
  };
}

const labelOf = ({ kind, count }: OverviewList["queues"][number]) => {
  const { label, one = label } = queueLooks[kind];
  return count === 1 ? one : label;
};

type Note = readonly [icon: IconName, text: string];

/** Fields are listed: spreading differing rows is slow. */
const presentRow = (row: Row, href: string) => ({
  id: row.id,
  statusVersion: row.statusVersion,
  status: row.status,
  href,
  cpr: row.cpr ?? "–",
  name: `${row.firstName} ${row.lastName}`.trim(),
  age: row.age,
  date: showDate(row.createdAt),
  statusSince: row.statusSince ? showDate(row.statusSince) : null,
  meaning: row.meaning,
  ediId: row.ediId,
  isUrgent: row.referenceType === URGENT,
  missesDentistId: row.externalDoctorId === null,
  hasRadiographs: row.hasRadiographs,
  exportStatus: row.exportStatus,
  hasNewMessage: row.hasNewMessage,
  isExported: row.isExported,
  isTest: row.isTest,
  notes: notesOf(row),
});

const notesOf = (row: Row): Note[] => {
  const notes: (Note | false | 0 | "" | null | undefined)[] = [
    row.hasOtherName && ["warning", OTHER_NAME],
    row.externalDoctorId === null && ["missing-dentist", "Uden tandlæge-id"],
    row.awaitedFiles && ["upload", awaitedText(row.awaitedFiles)],
    row.notReceived && ["failed", filesNotReceivedText(row.notReceived)],
    row.missing && ["awaits-material", missingText(row.missing)],
    row.heldUntil && ["clock", onHoldText(row.heldUntil)],
    row.isBackFromHold && ["clock", BACK_FROM_HOLD],
    row.isToBeTold && ["warning", TO_BE_TOLD],
    row.dueOn && ["clock", silentText(row.dueOn)],
    row.isRecalled && ["done", "Materiale modtaget"],
    ...(row.marks ?? []).map(({ icon, text }): Note => [icon, text]),
  ];
  return notes.filter((note): note is Note => Boolean(note));
};

const callUpLabels = { called: "indkaldt", calledTwice: "indkaldt 2 gange", notReached: "uden held" };

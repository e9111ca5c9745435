import type { listCallUps } from "~/features/call-ups/list-call-ups.server";
import type { PageOf } from "~/http/runners/page.server";
import { presentCallUp } from "~/components/call-up/present-call-up";
import { callUpFilters } from "~/features/call-ups/call-up-columns";
import { callUpStatuses } from "~/features/call-ups/call-up-states";
import { callUpState, callUpTypeLabel } from "~/features/referrals/details/sent-items";
import { URGENT } from "~/features/referrals/model/referral";
import { UNKNOWN_TREATMENT } from "~/features/referrals/model/referral";
import { statusLook, visibleLabel } from "~/features/referrals/model/status";
import { presentFilter } from "~/lists/present-filter";
import { showDate, showDateTime, showDay, showTime } from "~/text/dates";
import { twoDigits } from "~/text/numbers";

type Values = PageOf<typeof listCallUps>;
type Row = Values["rows"][number];
export type CallUpRow = ReturnType<typeof presentRow>;

export function presentCallUps(list: Values) {
  const statusChoices = callUpStatuses.map(({ value }) => ({ value, label: visibleLabel(value, list) }));
  const openRow = list.rows.find(({ id }) => id === list.open?.referralId);
  return {
    ...list,
    ...presentFilter(callUpFilters, list, statusChoices),
    statusChoices,
    queues: list.queues.map((queue) => ({ ...queue, label: queueLabels[queue.kind] ?? "" })),
    openId: list.open?.referralId ?? null,
    open: list.open && openRow ? { ...presentCallUp(list.open), facts: factsOf(openRow, list.open) } : null,
    rows: list.rows.map((row) => presentRow(row, list)),
  };
}

const queueLabels: Partial<Record<Values["queues"][number]["kind"], string>> = {
  urgent: "visiteret haster",
  readyForCallUp: "klar til indkaldelse",
};

const presentRow = (row: Row, settings: { status16Label: string }) => {
  const { tone, icon } = statusLook(row.status);
  return {
    id: row.id,
    cpr: row.cpr ?? "–",
    name: row.name,
    ediId: row.ediId,
    isTest: row.isTest,
    isUrgent: row.referenceType === URGENT,
    date: showDate(row.createdAt),
    status: { label: visibleLabel(row.status, settings), tone, icon },
    callUpType: row.callUpType === null ? "" : callUpTypeLabel(row.callUpType),
    callUpAt: row.callUpAt === null ? "" : `${showDate(row.callUpAt)} ${showTime(row.callUpAt)}`,
    callUpState: row.callUpStatus === null ? null : callUpState(row.callUpStatus),
    hasLeft: row.hasLeft,
  };
};

function factsOf(row: Row, open: NonNullable<Values["open"]>) {
  const { operation } = row;
  const treatment = open.treatmentTypeId === UNKNOWN_TREATMENT ? "Ukendt behandling" : open.treatment;
  return [
    {
      label: "Operationsdato",
      value:
        operation &&
        `${showDay(operation.date)}${operation.hour === null ? "" : ` kl. ${twoDigits(operation.hour)}.${twoDigits(operation.minute)}`}`,
    },
    { label: "Behandling", value: treatment },
    { label: "Sidst ændret", value: [showDateTime(row.modifiedAt), row.modifierName].filter(Boolean).join(", ") },
  ];
}

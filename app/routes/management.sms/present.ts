import type { readSmsPage } from "./data.server";
import type { PageOf } from "~/http/runners/page.server";
import type { SerializeFrom } from "@remix-run/node";
import { lastImportText } from "./present-files";
import { presentFreedTimes } from "./present-freed-times";
import type { SmsReferral } from "~/features/sms-threads/operations.server";
import { smsFilters } from "~/features/sms-threads/sms-columns";
import { statusLook, visibleLabel } from "~/features/referrals/model/status";
import { presentFilter } from "~/lists/present-filter";
import { showDate, showDay, showTime } from "~/text/dates";
import { twoDigits } from "~/text/numbers";

type Values = PageOf<typeof readSmsPage>;
type Row = Values["rows"][number];
type Opened = NonNullable<SerializeFrom<SmsReferral>["referral"]>;
export type SmsRow = ReturnType<typeof presentRow>;

/** The list as text; the open referral is loaded separately and newer. */
export const presentSms = (list: Values, opened: Opened | null) => ({
  ...list,
  ...presentFilter(smsFilters, list),
  queues: hasQueue(list.queues) ? list.queues : null,
  rows: list.rows.map((row) => presentRow({ ...row, ...(row.id === opened?.id ? opened : {}) }, list)),
  freedTimes: presentFreedTimes(list.freedTimes),
  lastImport: lastImportText(list.upload.files),
});

const hasQueue = (queues: Values["queues"]) =>
  queues !== null && Object.values(queues).some((queue) => (typeof queue === "number" ? queue : queue.count) > 0);

function presentRow(row: Row, settings: { status16Label: string }) {
  const { tone, icon } = statusLook(row.status);
  const { operation } = row;
  return {
    id: row.id,
    cpr: row.cpr ?? "–",
    name: row.name,
    isTest: row.isTest,
    time:
      operation === null
        ? ""
        : `${showDay(operation.date)}${operation.hour === null ? "" : ` ${twoDigits(operation.hour)}.${twoDigits(operation.minute)}`}`,
    isConfirmed: row.isConfirmed,
    cancelledAt: row.cancelledAt === null ? "" : `${showDate(row.cancelledAt)} ${showTime(row.cancelledAt)}`,
    messageCount: row.messageCount,
    isCancelled: row.hasCancellationMessage || row.cancelledAt !== null,
    status: { label: visibleLabel(row.status, settings), tone, icon },
    hasLeft: row.hasLeft,
  };
}

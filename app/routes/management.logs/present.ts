import type { SerializeFrom } from "@remix-run/node";
import type { LogPage } from "~/features/logs/list-log.server";
import { showDateTime } from "~/text/dates";
import { logStates, NO_DATA } from "./log-words";

export type Log = SerializeFrom<LogPage>;
export type ShownLog = ReturnType<typeof presentLog>;
export type ShownLine = ReturnType<typeof presentLine>;

export const presentLog = (log: Log) => ({ ...log, rows: log.rows.map((row) => presentLine(row, log)) });

const presentLine = (row: Log["rows"][number], { types }: Log) => ({
  id: row.id,
  referralId: row.referralId,
  createdAt: moment(row.createdAt),
  sentAt: moment(row.sentAt),
  state: logStates[row.state],
  isSent: row.state === 1,
  sender: row.sender,
  recipients: (row.to ?? NO_DATA).split(",").map((each) => each.trim()),
  cpr: row.cpr ?? NO_DATA,
  mobilePhone: row.to ?? NO_DATA,
  subject: row.subject ?? NO_DATA,
  type: types.find(({ value }) => value === row.type)?.label ?? NO_DATA,
});

/** Display and machine form; null without. */
const moment = (at: string | null) => (at === null ? null : { iso: at, text: showDateTime(at) });

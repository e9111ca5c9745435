import type { SerializeFrom } from "@remix-run/node";
import { useLocation, Link } from "@remix-run/react";
import { Fragment, type ReactNode } from "react";
import type { LogPage } from "~/features/logs/log-list.server";
import type { LogName, LogState } from "~/features/logs/log-types";
import { paths } from "~/paths";
import { localDate, showDateTime, showShortDateTime, showTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { SelectField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { type Toned, StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { PlainTable, type PlainColumn } from "~/ui/lists/plain-table";
import { LogPanel, logPageAddress, NO_DATA } from "./log-panel";

export const logWords: Readonly<Record<LogName, { link: string; heading: string; typeLabel: string }>> = {
  eboks: { link: "E-Boks", heading: "E-BOKS LOGS", typeLabel: "E-Boks type" },
  email: { link: "E-MAIL", heading: "E-MAIL LOGS", typeLabel: "E-mail type" },
  sms: { link: "SMS", heading: "SMS LOGS", typeLabel: "Sms type" },
};

const logStates: Readonly<Record<LogState, Toned>> = {
  0: { label: "I kø", tone: "closed", icon: "hourglass" },
  1: { label: "Succes", tone: "ok", icon: "done" },
  2: { label: "Mislykkedes", tone: "err", icon: "alert" },
};

type Log = SerializeFrom<LogPage>;
type ShownLog = ReturnType<typeof presentLog>;
type ShownLine = ReturnType<typeof presentLine>;

export const presentLog = (log: Log) => ({
  ...log,
  rows: log.rows.map((row, index) => presentLine(row, log.rows[index - 1], log)),
});

type Row = Log["rows"][number];

const presentLine = (row: Row, above: Row | undefined, { types, today }: Log) => ({
  id: row.id,
  referralId: row.referralId,
  createdAt: moment(row.createdAt, today),
  sentAt: moment(row.sentAt, today),
  state: logStates[row.state],
  /** Empty if equal to the row above. */
  sender: row.sender === above?.sender ? "" : row.sender,
  recipients: (row.to ?? NO_DATA).split(",").map((each) => each.trim()),
  cpr: row.cpr ?? NO_DATA,
  mobilePhone: row.to ?? NO_DATA,
  subject: row.subject ?? NO_DATA,
  type: types.find(({ value }) => value === row.type)?.label ?? NO_DATA,
});

const moment = (at: string | null, today: string) =>
  at === null
    ? null
    : {
        iso: at,
        text: localDate(new Date(at)) === today ? `i dag ${showTime(at)}` : showShortDateTime(at),
        whole: showDateTime(at),
      };

export function LogPage({ log, isLoading }: { log: ShownLog; isLoading: boolean }) {
  const { search } = useLocation();
  const here = (page: number) =>
    logPageAddress(log, page, { type: log.log, nr: log.visitNumber || null, slags: log.type });
  return (
    <>
      <LogFilter log={log} />
      <h2 className="mt-4 mb-2">{logWords[log.log].heading}</h2>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : (
        <>
          <LogTable log={log} query={search} />
          <div className="list-foot mt-3">
            <Pager page={log.page} pageCount={log.pageCount} href={here} label="Sider" />
          </div>
        </>
      )}
    </>
  );
}

function LogFilter({ log }: { log: ShownLog }) {
  return (
    <LogPanel type={log.log} visitNumber={log.visitNumber} isWrongNumber={log.isWrongNumber} values={[log.type]}>
      <SelectField
        name="slags"
        label={logWords[log.log].typeLabel}
        empty="Alle"
        choices={log.types}
        defaultValue={log.type ?? ""}
        disabled={log.types.length === 0}
      />
    </LogPanel>
  );
}

type Columns = readonly PlainColumn<ShownLine>[];

function LogTable({ log, query }: { log: ShownLog; query: string }) {
  if (log.rows.length === 0)
    return log.visitNumber || log.type !== null ? (
      <EmptyState icon="search" action={<a href={`${paths.logs}?type=${log.log}`}>Reset filtre</a>} />
    ) : (
      <EmptyState why="Her kommer det, der er sendt." />
    );
  const columns: Readonly<Record<LogName, Columns>> = {
    eboks: eboksColumns,
    email: [...emailColumns, preview(query, "Forhåndsvisning af e-mail")],
    sms: [...smsColumns, preview(query, "Forhåndsvisning af SMS")],
  };
  return (
    <PlainTable caption={logWords[log.log].heading} columns={columns[log.log]} rows={log.rows} keyOf={({ id }) => id} />
  );
}

const date = (at: ShownLine["sentAt"]): ReactNode =>
  at === null ? (
    NO_DATA
  ) : (
    <time dateTime={at.iso} title={at.whole} className="whitespace-nowrap">
      {at.text}
    </time>
  );

const createdAt = { label: "Oprette dato", cell: (line: ShownLine) => date(line.createdAt) };
const sentAt = { label: "Send dato", cell: (line: ShownLine) => date(line.sentAt) };
const status = { label: "Status", cell: (line: ShownLine) => <StateText state={line.state} /> };

const eboksColumns: Columns = [
  {
    label: "Nr.",
    isVerbatim: true,
    cell: ({ referralId }) => (referralId === null ? NO_DATA : <a href={paths.referral(referralId)}>{referralId}</a>),
  },
  createdAt,
  sentAt,
  { label: "Recipient", isVerbatim: true, cell: ({ cpr }) => cpr },
  status,
  { label: "Meddelelsestype", cell: ({ type }) => type },
];

const smsColumns: Columns = [
  createdAt,
  sentAt,
  // The customer's spelling.
  { label: "CPR-nummner", isVerbatim: true, cell: ({ cpr }) => cpr },
  { label: "Mobiltelefon", isVerbatim: true, cell: ({ mobilePhone }) => mobilePhone },
  status,
];

const emailColumns: Columns = [
  { label: "Date", cell: (line) => date(line.sentAt ?? line.createdAt) },
  status,
  { label: "Sender", isVerbatim: true, cell: ({ sender }) => <span className="break-anywhere">{sender}</span> },
  {
    label: "Recipient",
    isVerbatim: true,
    cell: ({ recipients }) => (
      <div>
        {recipients.map((each, index) => (
          <Fragment key={each}>
            {index > 0 && <br />}
            <span className="break-anywhere">{each}</span>
          </Fragment>
        ))}
      </div>
    ),
  },
  { label: "Subject", cell: ({ subject }) => <span className="break-anywhere">{subject}</span> },
];

const preview = (query: string, tooltip: string): PlainColumn<ShownLine> => ({
  label: "Vis",
  cell: ({ id }) => (
    <Link
      to={`${paths.logMessage(id)}${query}`}
      preventScrollReset
      title={tooltip}
      aria-label={`${tooltip} ${id}`}
      className="mark"
    >
      <Icon name="show" />
    </Link>
  ),
});

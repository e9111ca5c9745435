import { Link } from "@remix-run/react";
import { Fragment, type ReactNode } from "react";
import type { LogName } from "~/features/logs/log-types";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Icon } from "~/ui/icons/icon";
import { StateText } from "~/ui/lists/chip";
import { PlainTable, type PlainColumn } from "~/ui/lists/plain-table";
import { logWords, NO_DATA } from "./log-words";
import type { ShownLine, ShownLog } from "./present";

type Columns = readonly PlainColumn<ShownLine>[];

export function LogTable({ log, query }: { log: ShownLog; query: string }) {
  if (log.rows.length === 0) return <EmptyState action={<a href={`${paths.logs}?type=${log.log}`}>Reset filtre</a>} />;
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
    <time dateTime={at.iso} className="num">
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
  // The product's spelling.
  { label: "CPR-nummner", isVerbatim: true, cell: ({ cpr }) => cpr },
  { label: "Mobiltelefon", isVerbatim: true, cell: ({ mobilePhone }) => mobilePhone },
  status,
];

const emailColumns: Columns = [
  {
    label: "Date",
    cell: (line) => (
      <div>
        {date(line.sentAt ?? line.createdAt)}
        {!line.isSent && (
          <div>
            <StateText state={line.state} />
          </div>
        )}
      </div>
    ),
  },
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

import { type FormEvent, useState } from "react";
import { statusesOf } from "~/components/overview-list/overview-list";
import { PickBox, PickPage } from "~/components/picked-rows/picked-rows";
import type { RowSaveState } from "~/components/status-form/row-save-state";
import { StatusForm } from "~/components/status-form/status-form";
import { EXPORT_FAILED } from "~/features/referrals/model/referral";
import { columns as sortColumns, SORT } from "~/features/referrals/list/filters";
import type { StatusOption } from "~/features/referrals/model/status";
import { ActionForm } from "~/http/forms/action-form";
import type { PageTicket } from "~/http/forms/use-action-result";
import type { Column } from "~/components/list/data-table";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Chip, Tag } from "~/ui/lists/chip";
import type { ShownList, ShownRow } from "./present";

function RowStatus({ row, options }: { row: ShownRow; options: StatusOption[] }) {
  const option = options.find(({ value }) => value === row.status);
  return (
    <span className="flex flex-wrap items-center min-w-0">
      {option && (
        <Chip tone={option.tone} icon={option.icon} title={`${option.label}: ${row.meaning ?? option.meaning}`}>
          <span className="truncate">{option.label}</span>
        </Chip>
      )}{" "}
      {row.statusSince && <span className="meta ml-1 whitespace-nowrap">siden {row.statusSince}</span>}
    </span>
  );
}

interface RowStatusFormProps {
  row: ShownRow;
  options: StatusOption[];
  submit(event: FormEvent<HTMLFormElement>): void;
  shown: RowsShown;
}

function RowStatusForm({ row, options, submit, shown: { here, openId, outcome, ticket } }: RowStatusFormProps) {
  return (
    <div className="min-w-0 flex-auto">
      <span className="print-only">{options.find(({ value }) => value === row.status)?.label}</span>
      <StatusForm
        referral={row}
        options={options}
        action={here}
        submit={submit}
        outcome={outcome}
        ticket={ticket}
        item={`referralId:${row.id}`}
        {...(openId === null && { shortcut: "s" })}
      >
        {openId !== null && (
          <input type="hidden" name="to" value={here.replace(paths.overview, paths.referral(openId))} />
        )}
      </StatusForm>
    </div>
  );
}

export interface RowsShown {
  list: ShownList;
  here: string;
  openId: number | null;
  ticket: PageTicket;
  outcome: RowSaveState | null;
}

const sortColumn = (key: number) => sortColumns.find((column) => column.key === key)!;

export function overviewColumns(
  shown: RowsShown,
  submit: (event: FormEvent<HTMLFormElement>) => void,
): Column<ShownRow>[] {
  const { list } = shown;
  const options = statusesOf(list);
  const { maySetStatus, seesInternal } = list;
  // On a card the class `c-fact` puts a column beside CPR number and age, and `c-mark` puts it below them.
  const columns: (Column<ShownRow> | false)[] = [
    maySetStatus && {
      label: "Vælg",
      head: <PickPage />,
      isLabelHidden: true,
      className: "c-pick",
      cell: ({ id, statusVersion }) => <PickBox id={id} statusVersion={statusVersion} />,
    },
    {
      label: "Nr.",
      isVerbatim: true,
      sort: sortColumn(SORT.number),
      className: "c-no",
      isNumber: true,
      isPlain: true,
      cell: (row) => <ReferralNumber row={row} />,
    },
    {
      label: "CPR-nummer",
      isVerbatim: true,
      sort: sortColumn(SORT.cpr),
      className: "c-fact c-cpr",
      isPlain: true,
      cell: (row) => row.cpr,
    },
    {
      label: "Patient navn",
      sort: sortColumn(SORT.name),
      className: "c-name",
      isRowHeader: true,
      cell: (row) => <Name row={row} />,
    },
    {
      label: "Alder",
      sort: sortColumn(SORT.age),
      className: "c-fact c-age",
      isNumber: true,
      isPlain: true,
      cell: (row) => row.age ?? "–",
    },
    { label: "Dato", sort: sortColumn(SORT.date), className: "c-fact", isPlain: true, cell: (row) => row.date },
    {
      label: "Status",
      sort: sortColumn(SORT.status),
      className: "c-status",
      isPlain: true,
      cell: (row) =>
        maySetStatus ? (
          <RowStatusForm row={row} options={options} submit={submit} shown={shown} />
        ) : (
          <RowStatus row={row} options={options} />
        ),
    },
    // Without exported rows the status gets the space.
    seesInternal &&
      list.rows.some(({ isExported }) => isExported) && {
        label: "Eksport",
        className: "c-mark",
        isPlain: true,
        cell: (row) => row.isExported && <Mark word="Eksporteret" icon="exported" tone="tone-ready" />,
      },
    {
      label: "Besked",
      className: "c-mark",
      isPlain: true,
      cell: (row) => row.hasNewMessage && <Mark word="Besked" icon="message-new" />,
    },
    {
      label: "Haster",
      sort: sortColumn(SORT.triage),
      className: "c-mark c-urgent",
      isPlain: true,
      cell: (row) => row.isUrgent && <Mark word="Haster" icon="urgent" tone="tone-urgent" />,
    },
    seesInternal && {
      label: "Røntgen",
      className: "c-mark",
      isPlain: true,
      cell: (row) => row.hasRadiographs && <Radiographs row={row} />,
    },
    { label: "PDF", className: "c-mark", isPlain: true, cell: ({ id }) => <Pdf id={id} /> },
    {
      label: "Åbn",
      isLabelHidden: true,
      className: "c-open",
      cell: (row) => <OpenLink row={row} shortcut={shown.openId === null ? "j" : undefined} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

function ReferralNumber({ row: { id, ediId } }: { row: ShownRow }) {
  return (
    <>
      {`${id} `}
      {ediId !== null && (
        <span className="tip">
          <button
            type="button"
            className="tag"
            aria-describedby={`e${id}`}
            onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
          >
            EDI
          </button>
          <span role="tooltip" id={`e${id}`} className="tip-text">
            {`EDI id ${ediId}`}
          </span>
        </span>
      )}
    </>
  );
}

function Name({ row }: { row: ShownRow }) {
  const { name, href, isUrgent, isTest, notes } = row;
  return (
    <>
      <a href={href} data-keep-scroll="">
        {name}
      </a>
      {isUrgent && (
        <>
          {"\u00a0"}
          <span className="chip tone-urgent c-haste" title="Haste henvisning">
            Haster
          </span>
        </>
      )}
      {isTest && (
        <>
          {" "}
          <Tag title="Testhenvisning">TEST</Tag>
        </>
      )}
      {notes.length > 0 && (
        <span className="c-notes">
          {notes.map(([icon, text]) => (
            <span key={text} className="c-note">
              <Icon name={icon} size={16} />
              {text}
            </span>
          ))}
        </span>
      )}
    </>
  );
}

function Mark({ word, icon, tone = "" }: { word: string; icon: IconName; tone?: string }) {
  return (
    <span className={`mark ${tone}`} title={word}>
      <Icon name={icon} />
      <span className="w">{word}</span>
    </span>
  );
}

const words = (word: string, id: number) => (
  <span className="w">
    {word}
    <span className="sr-only">{` nr. ${id}`}</span>
  </span>
);

function Radiographs({ row }: { row: ShownRow }) {
  const href = row.href.split("#")[0]!;
  if (row.exportStatus !== EXPORT_FAILED) {
    return (
      <a className="mark" href={`${href}#billeder`} data-keep-scroll="">
        <Icon name="radiograph" />
        {words("Røntgen", row.id)}
      </a>
    );
  }
  return <FailedExport id={row.id} action={href} />;
}

/** The answer is a file, so the row itself shows the planned retry. */
function FailedExport({ id, action }: { id: number; action: string }) {
  const [isPlanned, setPlanned] = useState(false);
  return (
    <ActionForm
      operation="retryRadiographExport"
      showsErrors
      item={`referralId:${id}`}
      place={`retryRadiographExport-${id}`}
      action={action}
      reloadDocument
      onSubmit={() => setPlanned(true)}
    >
      <button
        className={isPlanned ? "mark" : "mark tone-err"}
        name="intent"
        value="retryRadiographExport"
        title={
          isPlanned
            ? "Eksport planlagt. Hent alle røntgenbilleder"
            : `Fejl i export - tjek format. Eksportér igen og hent alle, nr. ${id}`
        }
      >
        <Icon name="radiograph" />
        {words("Røntgen", id)}
      </button>
    </ActionForm>
  );
}

function Pdf({ id }: { id: number }) {
  return (
    <a className="mark" href={paths.referralPdf(id)} target="_blank" rel="noreferrer">
      <Icon name="pdf" />
      {words("PDF", id)}
    </a>
  );
}

function OpenLink({ row: { id, href }, shortcut }: { row: ShownRow; shortcut: string | undefined }) {
  return (
    <a className="mark" href={href} tabIndex={-1} data-keep-scroll="" data-shortcut={shortcut}>
      <Icon name="down" />
      <span className="sr-only">{`Åbn nr. ${id}`}</span>
    </a>
  );
}

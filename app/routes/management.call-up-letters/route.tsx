import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { CallUpPanel } from "~/components/call-up/call-up-panel";
import { FailureCount } from "~/components/failures/failure-count";
import { PickPage } from "~/components/picked-rows/pick-page";
import { usePicked } from "~/components/picked-rows/use-picked";
import { callUpByPhone } from "~/features/call-ups/call-up-by-phone.server";
import { callUpColumns, callUpFilters, defaultCallUpSort } from "~/features/call-ups/call-up-columns";
import { askCallUps, withdrawCallUps } from "~/features/call-ups/call-up-many.server";
import { filterCallUps, updateCallUp } from "~/features/call-ups/operations.server";
import { listCallUps } from "~/features/call-ups/list-call-ups.server";
import { sendAnotherCallUp, sendCallUp, withdrawCallUp } from "~/features/call-ups/send-call-up.server";
import { makeLetterBatch } from "~/features/letter-batches/make-letter-batch.server";
import { callUpWays } from "~/features/patient-messages/ways";
import { ActionForm } from "~/http/forms/action-form";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { useButtonState } from "~/http/forms/use-button-state";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { type Column, DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { ListHead } from "~/lists/list-head";
import { readListQuery } from "~/lists/list-query";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";
import { PageHead, StickyBar } from "~/ui/layout/page-frame";
import { StateText, StatusChip, Tag } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { type CallUpRow, presentCallUps } from "./present";

function columns(
  openId: number | null,
  here: (change: Record<string, string | number | null>) => string,
): Column<CallUpRow>[] {
  const [number, cpr, name, date, status, type, at, state] = callUpColumns;
  const href = ({ id }: CallUpRow) => `${here({ aaben: id === openId ? null : id })}#r${id}`;
  return [
    {
      label: "Vælg",
      head: <PickPage />,
      isLabelHidden: true,
      className: "c-pick",
      cell: ({ id }) => (
        <label className="hit">
          <input type="checkbox" className="box" form="mass" name="pick" value={id} aria-label={`Vælg nr. ${id}`} />
        </label>
      ),
    },
    {
      label: number.label,
      isVerbatim: true,
      sort: number,
      isPlain: true,
      cell: ({ id, ediId }) => (
        <>
          {id} {ediId !== null && <Tag title={`EDI id ${ediId}`}>EDI</Tag>}
        </>
      ),
    },
    {
      label: cpr.label,
      isVerbatim: true,
      sort: cpr,
      className: "whitespace-nowrap",
      isPlain: true,
      cell: (row) => row.cpr,
    },
    {
      label: name.label,
      sort: name,
      className: "c-first",
      isRowHeader: true,
      cell: (row) => (
        <>
          <a href={href(row)} className="text-inherit no-underline" data-keep-scroll="">
            {row.name}
          </a>{" "}
          {row.isTest && <Tag title="Testhenvisning">TEST</Tag>}
          {row.isUrgent && <Tag title="Haste henvisning">Haster</Tag>}
        </>
      ),
    },
    { label: date.label, sort: date, cell: (row) => row.date },
    { label: status.label, sort: status, isPlain: true, cell: (row) => <StatusChip status={row.status} /> },
    { label: type.label, sort: type, cell: (row) => row.callUpType },
    { label: at.label, sort: at, className: "whitespace-nowrap", cell: (row) => row.callUpAt },
    {
      label: state.label,
      sort: state,
      isPlain: true,
      cell: (row) => (
        <>
          {row.callUpState && <StateText state={row.callUpState} />}
          {row.hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    {
      label: "Åbn",
      isLabelHidden: true,
      className: "c-open",
      cell: (row) => (
        <a className="mark" href={href(row)} aria-expanded={row.id === openId} data-keep-scroll="">
          <Icon name={row.id === openId ? "up" : "down"} />
          <span className="sr-only">
            {row.id === openId ? "Luk" : "Åbn"} nr. {row.id}
          </span>
        </a>
      ),
    },
  ];
}

/** Calls up picked patients by one channel, with a preview. With JavaScript shown once somebody is picked. */
function MassBar({ isReading }: { isReading: boolean }) {
  const { picked } = usePicked();
  const isHydrated = useHydrated();
  if (isHydrated ? picked === 0 : isReading) return <Form id="mass" />;
  return (
    <StickyBar label="Indkald de valgte" still={!isHydrated} className={isHydrated ? undefined : "scripts:hidden"}>
      <ActionForm id="mass" autoComplete="off" operation="askCallUps" action={paths.callUps} className="row">
        {isHydrated && <b>{picked === 1 ? "1 valgt" : `${picked} valgte`}</b>}
        <SelectField
          name="incallType"
          id="mass-type"
          label="Send som"
          labelHidden
          choices={callUpWays}
          defaultValue="3"
        />
        <Button name="intent" value="askCallUps" icon="call-up" size="compact">
          Indkald de valgte …
        </Button>
      </ActionForm>
    </StickyBar>
  );
}

function QueuedNotice({ ids, withdrawable }: { ids: readonly number[]; withdrawable: number }) {
  return (
    <Notice
      kind="success"
      live
      action={
        withdrawable > 0 && (
          <ActionForm operation="withdrawCallUps" action={paths.callUps}>
            <input type="hidden" name="nr" value={ids.join("-")} />
            <Button name="intent" value="withdrawCallUps" size="small" icon="undo">
              Fortryd
            </Button>
          </ActionForm>
        )
      }
    >
      {ids.length === 1 ? "1 indkaldelse er sat i kø." : `${ids.length} indkaldelser er sat i kø.`}
      {withdrawable < ids.length &&
        (withdrawable === 0 ? " De kan ikke fortrydes længere." : ` ${withdrawable} kan fortrydes endnu.`)}
    </Notice>
  );
}

interface LetterToolsProps {
  letters: { waiting: number; liveBatches: number };
}

function LetterTools({ letters: { waiting, liveBatches } }: LetterToolsProps) {
  const { pathname } = useLocation();
  const isOpen = pathname === paths.letterArchive;
  const state = useButtonState("makeLetterBatch");
  return (
    <div className="row !ml-0">
      <ActionForm operation="makeLetterBatch" action={paths.callUps}>
        <Button name="intent" value="makeLetterBatch" size="small" icon="print" state={state} disabled={waiting === 0}>
          Dan brevbunke nu ({waiting})
        </Button>
      </ActionForm>
      <ButtonLink
        to={isOpen ? paths.callUps : paths.letterArchive}
        variant="plain"
        size="small"
        icon="table"
        iconAfter={isOpen ? "up" : "down"}
        aria-expanded={isOpen}
      >
        {liveBatches === 0 ? "Arkiv" : `Arkiv (${liveBatches} ikke udskrevet)`}
      </ButtonLink>
    </div>
  );
}

interface QueueLineProps {
  queues: ReturnType<typeof presentCallUps>["queues"];
  failures: number;
}

function QueueLine({ queues, failures }: QueueLineProps) {
  return (
    <>
      {queues.map(({ kind, count, label, f }) => (
        <span key={kind} className={kind === "urgent" ? "text-urgent" : undefined}>
          <b>{count}</b> <a href={`${paths.callUps}?f=${encodeURIComponent(f)}`}>{label}</a>
        </span>
      ))}
      <FailureCount count={failures} />
    </>
  );
}

export const meta = pageTitle("Indkald");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    listCallUps,
    { ...readListQuery(args.request), queued: queuedIn(args.request) },
    {
      forms: { sendCallUp },
      subject: ({ open }) =>
        open
          ? {
              fields: { referralId: open.referralId },
              versions: { version: open.version, statusVersion: open.statusVersion },
            }
          : {},
    },
  );

/** Ids of the call-ups just queued, from the address. */
const queuedIn = (request: Request) => new URL(request.url).searchParams.get("indkaldt");

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterCallUps,
    sendCallUp,
    sendAnotherCallUp,
    updateCallUp,
    callUpByPhone,
    withdrawCallUp,
    makeLetterBatch,
    askCallUps,
    withdrawCallUps,
  });

export default function CallUps() {
  const list = presentCallUps(useLoaderData<typeof loader>());
  const here = (change: Record<string, string | number | null>) => {
    const next = { f: list.f, sort: list.sort, page: list.page, fra: list.start, aaben: list.openId, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.callUps}?${new URLSearchParams(entries).toString()}`;
  };
  const pager = (label: string) => (
    <Pager
      page={list.page}
      pageCount={list.pageCount}
      href={(page) => here({ page, aaben: null, fra: page === 1 ? null : page > list.page ? list.end : list.start })}
      label={label}
    />
  );
  return (
    <>
      <PageHead
        title="Indkald"
        tools={list.letters && <LetterTools letters={list.letters} />}
        queue={list.queues.length + list.failures > 0 && <QueueLine queues={list.queues} failures={list.failures} />}
      />
      <Outlet />
      {list.queued && <QueuedNotice {...list.queued} />}
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={list}
        definitions={callUpFilters}
        intent="filterCallUps"
        action={here({ aaben: null })}
        resetTo={paths.callUps}
        chipTo={(f) => here({ f, page: 1, fra: null, aaben: null })}
        choices={{ referrers: list.referrers, statuses: list.statusChoices, tickedStatuses: list.statuses }}
        showsMore
        isFolded={list.openId !== null}
      />
      <ListHead
        list={list}
        columns={callUpColumns}
        defaultSort={defaultCallUpSort}
        one="henvisning"
        many="henvisninger"
        action={paths.callUps}
        pager={pager("Sider, øverst")}
      />
      {list.rows.length === 0 ? (
        <EmptyState
          why="Listen viser kun henvisninger med de valgte statusser og datoer. Andre står i overblikket."
          action={<a href={paths.callUps}>Reset filtre</a>}
        />
      ) : (
        <DataTable
          caption="Indkaldelser"
          wide
          className="name-first"
          columns={columns(list.openId, here)}
          rows={list.rows}
          sort={parseSort(list.sort, callUpColumns, defaultCallUpSort)}
          sortTo={(sort) => here({ page: 1, fra: null, sort })}
          rowClass={(row) => (row.hasLeft ? "row-on row-faded" : row.id === list.openId ? "row-on" : undefined)}
          open={{
            id: list.openId,
            content: list.open && (
              <CallUpPanel key={list.open.referralId} callUp={list.open} facts={list.open.facts} here={here({})} />
            ),
          }}
        />
      )}
      <div className="list-foot mt-3">{pager("Sider, nederst")}</div>
      {list.rows.length > 0 && <MassBar isReading={list.openId !== null} />}
    </>
  );
}

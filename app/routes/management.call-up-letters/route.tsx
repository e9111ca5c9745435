import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { callUpColumns, callUpFilters, defaultCallUpSort } from "~/features/call-ups/call-up-columns";
import { callUpByPhone } from "~/features/call-ups/call-up-by-phone.server";
import { filterCallUps } from "~/features/call-ups/filter-call-ups.server";
import { askCallUps, withdrawCallUps } from "~/features/call-ups/call-up-many.server";
import { listCallUps } from "~/features/call-ups/list-call-ups.server";
import { sendAnotherCallUp, sendCallUp, withdrawCallUp } from "~/features/call-ups/send-call-up.server";
import { makeLetterBatch } from "~/features/letter-batches/make-letter-batch.server";
import { updateCallUp } from "~/features/call-ups/update-call-up.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { readListQuery } from "~/lists/list-query";
import { ListHead } from "~/lists/list-head";
import { parseSort } from "~/lists/sort";
import { CallUpPanel } from "~/components/call-up/call-up-panel";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page-frame";
import { Pager } from "~/ui/lists/pager";
import { columns } from "./columns";
import { MassBar, QueuedNotice } from "./mass-bar";
import { LetterTools } from "./letter-tools";
import { presentCallUps } from "./present";
import { QueueLine } from "./queue-line";

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

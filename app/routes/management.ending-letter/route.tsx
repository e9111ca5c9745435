import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { LettersPanel } from "~/components/discharge-letters/letters-panel";
import {
  defaultDischargeSort,
  dischargeColumns,
  dischargeFilters,
} from "~/features/discharge-letters/discharge-letter-columns";
import {
  declineLetters,
  filterDischargeLetters,
  restoreLetter,
  sendLetterImages,
  sendLetterToPatient,
  setEdiAsEmail,
} from "~/features/discharge-letters/operations.server";
import { listDischargeLetters } from "~/features/discharge-letters/list-discharge-letters.server";
import { resendLetter, withdrawLetter } from "~/features/discharge-letters/queue-letter.server";
import { beginLetter, uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { ListHead } from "~/lists/list-head";
import { readListQuery } from "~/lists/list-query";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page-frame";
import { Pager } from "~/ui/lists/pager";
import { columns } from "./columns";
import { presentDischargeLetters } from "./present";

function WorkLine({ work }: { work: ReturnType<typeof presentDischargeLetters>["work"] }) {
  return (
    <>
      {work.map(({ key, count, label, f }) => (
        <span key={key} className={key === "onlyFailed" ? "text-urgent" : undefined}>
          <b>{count}</b> <a href={`${paths.dischargeLetters}?f=${encodeURIComponent(f)}`}>{label}</a>
        </span>
      ))}
    </>
  );
}

export const meta = pageTitle("Udskrivningsbrev");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, listDischargeLetters, readListQuery(args.request), {
    subject: ({ open }) =>
      open === null
        ? {}
        : {
            fields: { referralId: open.referralId },
            items: { letterNumber: open.letters.map(({ number }) => [number]) },
          },
  });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const uploads = [uploadLetter, uploadLetterImages];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterDischargeLetters,
    uploadLetter,
    uploadLetterImages,
    beginLetter,
    restoreLetter,
    resendLetter,
    withdrawLetter,
    setEdiAsEmail,
    declineLetters,
    sendLetterImages,
    sendLetterToPatient,
  });

export default function DischargeLetters() {
  const list = presentDischargeLetters(useLoaderData<typeof loader>());
  const query = (change: Record<string, string | number | null>) => {
    const next = { f: list.f, sort: list.sort, page: list.page, fra: list.start, aaben: list.openId, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `?${new URLSearchParams(entries).toString()}`;
  };
  const here = (change: Record<string, string | number | null>) => paths.dischargeLetters + query(change);
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
      <PageHead title="Udskrivningsbrev" queue={list.work.length > 0 && <WorkLine work={list.work} />} />
      <Outlet />
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={list}
        definitions={dischargeFilters}
        intent="filterDischargeLetters"
        action={here({ aaben: null })}
        resetTo={paths.dischargeLetters}
        chipTo={(f) => here({ f, page: 1, fra: null, aaben: null })}
        choices={{ referrers: list.referrers }}
        showsMore
        isFolded={list.openId !== null}
      />
      <ListHead
        list={list}
        columns={dischargeColumns}
        defaultSort={defaultDischargeSort}
        one="henvisning"
        many="henvisninger"
        action={paths.dischargeLetters}
        pager={pager("Sider, øverst")}
      />
      {list.rows.length === 0 ? (
        <EmptyState
          why="Ingen udskrivningsbreve passer til filtrene."
          action={<a href={paths.dischargeLetters}>Reset filtre</a>}
        />
      ) : (
        <DataTable
          caption="Udskrivningsbreve"
          className="name-first"
          columns={columns(list.openId, here)}
          rows={list.rows}
          sort={parseSort(list.sort, dischargeColumns, defaultDischargeSort)}
          sortTo={(sort) => here({ page: 1, fra: null, sort })}
          rowClass={(row) => (row.hasLeft ? "row-on row-faded" : row.id === list.openId ? "row-on" : undefined)}
          open={{
            id: list.openId,
            content: list.open && (
              <LettersPanel
                key={list.open.referralId}
                letters={list.open}
                here={here({})}
                deleteTo={(number) => paths.deleteLetter(list.open!.referralId, number, query({}))}
              />
            ),
          }}
        />
      )}
      <div className="list-foot mt-3">{pager("Sider, nederst")}</div>
    </>
  );
}

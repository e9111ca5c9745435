import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { deleteDraft, restoreDraft } from "~/features/drafts/delete-draft.server";
import { defaultDraftSort, draftColumns, draftFilters } from "~/features/drafts/draft-columns";
import { filterDrafts } from "~/features/drafts/filter-drafts.server";
import { listDrafts } from "~/features/drafts/list-drafts.server";
import { runCommand } from "~/http/runners/command.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";
import { afterChanges } from "~/http/forms/revalidation";
import { pageTitle } from "~/http/title";
import { DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { readListQuery } from "~/lists/list-query";
import { ListHead } from "~/lists/list-head";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page";
import { Pager } from "~/ui/lists/pager";
import { columns } from "./columns";
import { DeleteDraft } from "./delete-draft";
import { presentDrafts } from "./present";

export const meta = pageTitle("Kladde");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => {
  const deleted = new URL(args.request.url).searchParams.get("slettet");
  return runPage(
    args,
    listDrafts,
    { ...readListQuery(args.request), deleted },
    // Notice of a deleted draft with its undo.
    {
      subject: ({ rows, deleted: gone }) => ({
        items: { referralId: [...rows.map(({ id }) => id), ...(gone === null ? [] : [gone])].map((id) => [id]) },
      }),
    },
  );
};

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterDrafts, deleteDraft, restoreDraft });

export default function Drafts() {
  const list = presentDrafts(useLoaderData<typeof loader>());
  const [query] = useSearchParams();
  const toDelete = list.rows.find((draft) => draft.id === Number(query.get("slet")));
  const { deleted } = list;
  const here = (change: Record<string, string | number | null>) => {
    const next = { f: list.f, sort: list.sort, page: list.page, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.drafts}?${new URLSearchParams(entries).toString()}`;
  };
  return (
    <>
      <PageHead title="Kladde" />
      {deleted !== null && (
        <Notice
          kind="info"
          live
          action={
            <ActionForm operation="restoreDraft" item={`referralId:${deleted}`}>
              <Button name="intent" value="restoreDraft" size="small" icon="undo">
                Fortryd
              </Button>
            </ActionForm>
          }
        >
          Kladde nr. {deleted} er slettet.
        </Notice>
      )}
      {toDelete && <DeleteDraft id={toDelete.id} name={toDelete.name} closeTo={here({})} />}
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={list}
        definitions={draftFilters}
        intent="filterDrafts"
        action={here({})}
        resetTo={paths.drafts}
        chipTo={(f) => here({ f, page: 1 })}
        choices={{ referrers: list.referrers }}
        showsMore
      />
      <ListHead
        list={list}
        columns={draftColumns}
        defaultSort={defaultDraftSort}
        one="kladde"
        many="kladder"
        action={paths.drafts}
      />
      {list.rows.length === 0 ? (
        <EmptyState
          why={list.active.length > 0 ? "Ingen kladder passer til filtrene." : "Der er ingen kladder."}
          action={<a href={paths.wizard}>Lav en ny henvisning</a>}
        />
      ) : (
        <DataTable
          caption="Kladder"
          className="name-first"
          columns={columns((id) => here({ slet: id }))}
          rows={list.rows}
          sort={parseSort(list.sort, draftColumns, defaultDraftSort)}
          sortTo={(sort) => here({ page: 1, sort })}
        />
      )}
      <Pager
        page={list.page}
        pageCount={list.pageCount}
        href={(page) => here({ page, fra: page === 1 ? null : page > list.page ? list.end : list.start })}
      />
    </>
  );
}

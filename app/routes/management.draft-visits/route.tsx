import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData, useSearchParams } from "@remix-run/react";
import { deleteDraft, restoreDraft } from "~/features/drafts/delete-draft.server";
import { defaultDraftSort, draftColumns, draftFilters } from "~/features/drafts/draft-columns";
import { filterDrafts } from "~/features/drafts/filter-drafts.server";
import { listDrafts } from "~/features/drafts/list-drafts.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { keepPage } from "~/http/keep-page";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { type Column, DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { ListHead } from "~/lists/list-head";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { DefaultIntent } from "~/ui/default-intent";
import { DialogPage } from "~/ui/dialog";
import { EmptyState } from "~/ui/empty-state";
import { Notice } from "~/ui/notice";
import { PageHead } from "~/ui/page";
import { Pager } from "~/ui/pager";

export const meta = pageTitle("Kladde");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, listDrafts, { sort: query.get("sort"), page: query.get("page") ?? 1, cursor: query.get("fra"), f: query.get("f") });
};

export const clientLoader = keepPage;

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterDrafts, deleteDraft, restoreDraft });

/** Unfinished referrals: open one again, or delete it. */
export default function Drafts() {
  const list = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const toDelete = list.rows.find((draft) => draft.id === Number(query.get("slet")));
  const deleted = query.get("slettet");
  const here = (change: Record<string, string | number | null>) => {
    const next = { f: list.f, sort: list.sort, page: list.page, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.drafts}?${new URLSearchParams(entries).toString()}`;
  };
  return (
    <>
      <PageHead title="Kladde" />
      {deleted && /^\d+$/.test(deleted) && (
        <Notice
          kind="info"
          live
          action={
            <Form method="post">
              <DefaultIntent value="restoreDraft" />
              <input type="hidden" name="referralId" value={deleted} />
              <Button name="intent" value="restoreDraft" size="small" icon="undo">
                Fortryd
              </Button>
            </Form>
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
      <ListHead list={list} columns={draftColumns} defaultSort={defaultDraftSort} one="kladde" many="kladder" action={paths.drafts} />
      {list.rows.length === 0 ? (
        <EmptyState why={list.active.length > 0 ? "Ingen kladder passer til filtrene." : "Der er ingen kladder."} action={<a href={paths.wizard}>Lav en ny henvisning</a>} />
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
      <Pager page={list.page} pageCount={list.pageCount} href={(page) => here({ page, fra: page === 1 ? null : page > list.page ? list.end : list.start })} />
    </>
  );
}

type Draft = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

/** The draft's columns, each sorted by its number, and what can be done with it. */
function columns(deleteHref: (id: number) => string): Column<Draft>[] {
  const [number, cpr, name, created, modified, modifier] = draftColumns;
  return [
    { label: number.label, sort: number, cell: ({ id }) => id },
    { label: cpr.label, sort: cpr, cell: (draft) => draft.cpr },
    { label: name.label, sort: name, className: "c-first", isRowHeader: true, cell: (draft) => draft.name },
    { label: created.label, sort: created, cell: ({ createdAt }) => createdAt },
    { label: modified.label, sort: modified, cell: ({ modifiedAt }) => modifiedAt },
    { label: modifier.label, sort: modifier, cell: ({ modifierName }) => modifierName },
    {
      label: "Handlinger",
      isLabelHidden: true,
      cell: ({ id }) => (
        <div className="row">
          <ButtonLink to={paths.openInWizard(id)} size="small" icon="edit" aria-label={`Ret kladde nr. ${id}`}>
            Ret
          </ButtonLink>
          <ButtonLink to={deleteHref(id)} size="small" variant="plain" icon="delete" preventScrollReset aria-label={`Slet kladde nr. ${id}`}>
            Slet
          </ButtonLink>
        </div>
      ),
    },
  ];
}

function DeleteDraft({ id, name, closeTo }: { id: number; name: string; closeTo: string }) {
  return (
    <DialogPage title={`Slet kladde nr. ${id}?`} closeTo={closeTo}>
      <p>Kladden for {name} forsvinder fra listen. Du kan fortryde bagefter.</p>
      <Form method="post" action={paths.drafts} className="row">
        <DefaultIntent value="deleteDraft" />
        <input type="hidden" name="referralId" value={id} />
        <Button name="intent" value="deleteDraft" variant="danger">
          Slet
        </Button>
        <ButtonLink to={closeTo}>Annuller</ButtonLink>
      </Form>
    </DialogPage>
  );
}

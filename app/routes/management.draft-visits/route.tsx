import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData, useSearchParams } from "@remix-run/react";
import { deleteDraft, restoreDraft } from "~/features/drafts/delete-draft.server";
import { defaultDraftSort, draftColumns } from "~/features/drafts/draft-sort";
import { filterDrafts } from "~/features/drafts/filter-drafts.server";
import { listDrafts } from "~/features/drafts/list-drafts.server";
import { directionOf, parseSort, sortByClick, sortParam } from "~/features/referrals/list-sort";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Button, ButtonLink } from "~/ui/button";
import { DialogPage } from "~/ui/dialog";
import { EmptyState } from "~/ui/empty-state";
import { Notice } from "~/ui/notice";
import { PageHead } from "~/ui/page";
import { Pager } from "~/ui/pager";
import { SortHead, Table } from "~/ui/table";
import { DraftFilterPanel } from "./draft-filter-panel";

export const meta = pageTitle("Kladde");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, listDrafts, { sort: query.get("sort"), page: query.get("page") ?? 1, f: query.get("f") });
};

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterDrafts, deleteDraft, restoreDraft });

/** Unfinished referrals: open one again, or delete it (specification 2 §2.3). */
export default function Drafts() {
  const list = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const toDelete = list.drafts.find((draft) => draft.id === Number(query.get("slet")));
  const deleted = query.get("slettet");
  const sort = parseSort(list.sort, draftColumns, defaultDraftSort);
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
      <DraftFilterPanel list={list} />
      <div className="list-head">
        <b>{list.total === 1 ? "1 kladde" : `${showCount(list.total)} kladder`}</b>
      </div>
      {list.drafts.length === 0 ? (
        <EmptyState why={list.active.length > 0 ? "Ingen kladder passer til filtrene." : "Der er ingen kladder."} action={<a href={paths.wizard}>Lav en ny henvisning</a>} />
      ) : (
        <Table caption="Kladder" className="name-first">
          <thead>
            <tr>
              {draftColumns.map(({ key, label }) => (
                <SortHead
                  key={key}
                  label={label}
                  to={here({ page: 1, sort: sortParam(sortByClick(sort, key)) })}
                  direction={directionOf(sort, key)}
                />
              ))}
              <th scope="col">
                <span className="vh">Handlinger</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.drafts.map((draft) => (
              <tr key={draft.id}>
                <td data-label="Nr.">{draft.id}</td>
                <td data-label="CPR-nummer">{draft.cpr}</td>
                <td className="c-first">{draft.name}</td>
                <td data-label="Oprettet">{draft.createdAt}</td>
                <td data-label="Ændret">{draft.modifiedAt}</td>
                <td data-label="Ændret af">{draft.modifierName}</td>
                <td>
                  <div className="row">
                    <ButtonLink to={paths.openInWizard(draft.id)} size="small" icon="edit" aria-label={`Ret kladde nr. ${draft.id}`}>
                      Ret
                    </ButtonLink>
                    <ButtonLink to={here({ slet: draft.id })} size="small" variant="plain" icon="delete" preventScrollReset aria-label={`Slet kladde nr. ${draft.id}`}>
                      Slet
                    </ButtonLink>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <Pager page={list.page} pageCount={list.pageCount} href={(page) => here({ page })} />
    </>
  );
}

function DeleteDraft({ id, name, closeTo }: { id: number; name: string; closeTo: string }) {
  return (
    <DialogPage title={`Slet kladde nr. ${id}?`} closeTo={closeTo}>
      <p>Kladden til {name} forsvinder fra listen. Du kan fortryde bagefter.</p>
      <Form method="post" action={paths.drafts} className="row">
        <input type="hidden" name="referralId" value={id} />
        <Button name="intent" value="deleteDraft" variant="danger">
          Slet
        </Button>
        <ButtonLink to={closeTo}>Annuller</ButtonLink>
      </Form>
    </DialogPage>
  );
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { PageHead } from "~/components/page-frame/page-frame";
import { draftColumns, draftView } from "~/features/drafts/draft-list";
import { filterDrafts, listDrafts } from "~/features/drafts/draft-list.server";
import { deleteDraft, restoreDraft } from "~/features/drafts/operations.server";
import { ActionForm } from "~/http/forms/action-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import type { Column } from "~/components/list/data-table";
import { readListQuery, hereOf } from "~/lists/list";
import { ListPage } from "~/components/list/list-page";
import { paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { type Draft, presentDrafts } from "./present";

function Name({ draft: { id, name, files, progress } }: { draft: Draft }) {
  return (
    <>
      <a href={paths.openInWizard(id)} className="inline-flex items-center min-h-11 table:min-h-6">
        {name}
      </a>
      {!files && <div className="meta font-normal">{progress}</div>}
      {files && (
        <a href={paths.wizardStep(id, 3)} className="flex items-center text-meta font-normal">
          <Icon name="upload" size={16} className="!mr-1" />
          {files}
        </a>
      )}
    </>
  );
}

function columns(deleteHref: (id: number) => string): Column<Draft>[] {
  const [number, cpr, name, created, modified, modifier] = draftColumns;
  return [
    { label: number.label, isVerbatim: true, sort: number, cell: ({ id }) => id },
    { label: cpr.label, isVerbatim: true, sort: cpr, className: "whitespace-nowrap", cell: (draft) => draft.cpr },
    { label: name.label, sort: name, className: "c-first", isRowHeader: true, cell: (draft) => <Name draft={draft} /> },
    { label: created.label, sort: created, cell: ({ createdAt }) => createdAt },
    { label: modified.label, sort: modified, cell: ({ modifiedAt }) => modifiedAt },
    { label: modifier.label, isVerbatim: true, sort: modifier, cell: ({ modifierName }) => modifierName },
    {
      label: "Handlinger",
      isLabelHidden: true,
      cell: ({ id }) => (
        <div className="row flex-nowrap">
          <ButtonLink to={paths.openInWizard(id)} size="small" icon="edit" aria-label={`Ret kladde nr. ${id}`}>
            Ret
          </ButtonLink>
          <ButtonLink
            to={deleteHref(id)}
            size="small"
            variant="plain"
            icon="delete"
            preventScrollReset
            aria-label={`Slet kladde nr. ${id}`}
          >
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
      <ActionForm
        operation="deleteDraft"
        item={`referralId:${id}`}
        place={`deleteDraft-${id}`}
        action={paths.drafts}
        className="row"
      >
        <Button value="deleteDraft" variant="danger">
          Slet
        </Button>
        <ButtonLink to={closeTo}>Annuller</ButtonLink>
      </ActionForm>
    </DialogPage>
  );
}

export const meta = pageTitle("Kladde");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const deleted = new URL(args.request.url).searchParams.get("slettet");
  return runPage(
    args,
    listDrafts,
    { ...readListQuery(args.request), deleted },
    {
      subject: ({ rows, deleted: gone }) => ({
        items: { referralId: [...rows.map(({ id }) => id), ...(gone === null ? [] : [gone])].map((id) => [id]) },
      }),
    },
  );
};

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterDrafts, deleteDraft, restoreDraft });

export default function Drafts() {
  const list = presentDrafts(useLoaderData<typeof loader>());
  const [query] = useSearchParams();
  const toDelete = list.rows.find((draft) => draft.id === Number(query.get("slet")));
  const { deleted } = list;
  const here = hereOf(paths.drafts, { f: list.f, sort: list.sort, page: list.page });
  return (
    <>
      <PageHead title="Kladde" />
      {deleted !== null && (
        <Notice
          kind="info"
          live
          action={
            <ActionForm operation="restoreDraft" item={`referralId:${deleted}`} place={`restoreDraft-${deleted}`}>
              <Button value="restoreDraft" size="small" icon="undo">
                Fortryd
              </Button>
            </ActionForm>
          }
        >
          Kladde nr. {deleted} er slettet.
        </Notice>
      )}
      {toDelete && <DeleteDraft id={toDelete.id} name={toDelete.name} closeTo={here({})} />}
      <ListPage
        view={draftView}
        list={list}
        here={here}
        choices={{ referrers: list.referrers }}
        caption="Kladder"
        one="kladde"
        many="kladder"
        columns={columns((id) => here({ slet: id }))}
        empty={{
          why: "Her kommer henvisninger, der er begyndt og ikke sendt.",
          action: <a href={paths.wizard}>Lav en ny henvisning</a>,
        }}
        hasOnePager
      />
    </>
  );
}

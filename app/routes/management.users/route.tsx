import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import {
  ActivityText,
  DirectoryList,
  DirectoryPage,
  directoryHere,
  openNameColumn,
  RowName,
} from "~/components/directory-list/directory-list";
import { mergeColumn, MergeTools } from "~/components/merge-panel/merge-tools";
import { undoMerge } from "~/features/merging/operations.server";
import {
  createExternalLink,
  releaseExternalAccount,
  saveExternalIdentity,
  updateUser,
} from "~/features/people/update-user.server";
import { resetUserSecondFactor, sendUserLink, setUserPassword } from "~/features/people/operations.server";
import { userColumns, userView } from "~/features/people/user-list";
import { filterUsers, listUsers } from "~/features/people/user-list.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import type { Column } from "~/components/list/data-table";
import { readListQuery, type Here } from "~/lists/list";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";
import { breaksLong } from "~/ui/layout/class-names";
import { Badge } from "~/ui/lists/chip";
import { type ListedUser, presentUsers } from "./present";
import { UserEditor } from "./user-editor";

interface ColumnsFor {
  openId: number | null;
  picks: number[];
  mayMerge: boolean;
}

function columns({ openId, picks, mayMerge }: ColumnsFor, here: Here): Column<ListedUser>[] {
  const [userName, created] = userColumns;
  return [
    {
      label: "Navn",
      className: "c-first table:min-w-[150px]",
      isRowHeader: true,
      cell: (row) => <RowName row={row} openId={openId} here={here} />,
    },
    {
      label: userName.label,
      isVerbatim: true,
      sort: userName,
      cell: (row) => <span className={breaksLong(row.userName)}>{row.userName}</span>,
    },
    { label: "Klinik", isVerbatim: true, cell: ({ clinics }) => <Clinics names={clinics} /> },
    { label: "Rolle", cell: ({ role }) => role },
    {
      label: "Status",
      isPlain: true,
      cell: ({ state, hasLeft }) => (
        <>
          <ActivityText state={state} />
          {hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    {
      label: created.label,
      sort: created,
      cell: ({ createdOn, createdAt }) => <time dateTime={createdAt}>{createdOn}</time>,
    },
    ...(mayMerge ? [mergeColumn<ListedUser>(picks, here)] : []),
    openNameColumn(openId, here),
  ];
}

function Clinics({ names: [first, ...more] }: { names: string[] }) {
  if (first === undefined) return <span className="meta">Ingen data...</span>;
  if (more.length === 0) return <span className={breaksLong(first)}>{first}</span>;
  return (
    <span title={[first, ...more].join(", ")} className={breaksLong(first)}>
      {first} <Badge>+{more.length}</Badge>
      <span className="sr-only">: {more.join(", ")}</span>
    </span>
  );
}

export const meta = pageTitle("Henvisere");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, listUsers, readListQuery(args.request), {
    forms: { updateUser, setUserPassword, resetUserSecondFactor, saveExternalIdentity, createExternalLink },
    subject: ({ open }) =>
      open === null
        ? {}
        : {
            fields: { userId: open.id },
            items: { runId: open.merges?.map(({ id }) => [id]) ?? [] },
          },
  });

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterUsers,
    updateUser,
    setUserPassword,
    sendUserLink,
    resetUserSecondFactor,
    saveExternalIdentity,
    releaseExternalAccount,
    createExternalLink,
    undoMerge,
  });

export default function Users() {
  const list = presentUsers(useLoaderData<typeof loader>());
  const here = directoryHere(paths.users, list);
  const { pathname, search } = useLocation();
  const isMerging = pathname === paths.mergeUsers;
  return (
    <DirectoryPage
      title="Henvisere"
      mergePath={paths.mergeUsers}
      tools={
        <div className="row">
          <MergeTools picks={list.picks} what="profilerne" path={paths.mergeUsers} here={here} />
          <ButtonLink to={`${paths.newUser}${search}`} icon="plus" preventScrollReset>
            Opret bruger
          </ButtonLink>
        </div>
      }
    >
      <DirectoryList
        list={list}
        view={userView}
        here={here}
        choices={{ clinics: list.clinics }}
        caption="Henvisere"
        one="bruger"
        many="brugere"
        empty={{ why: "Her kommer brugerne." }}
        columns={columns(list, directoryHere(isMerging ? paths.mergeUsers : paths.users, list))}
        openId={list.openId}
        open={list.open && <UserEditor key={list.open.id} user={list.open} here={here} />}
      />
    </DirectoryPage>
  );
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation, useOutlet } from "@remix-run/react";
import { DirectoryList, hereOf } from "~/components/directory-list/directory-list";
import { filterUsers } from "~/features/people/filter-users.server";
import { listUsers } from "~/features/people/list-users.server";
import { setUserPassword } from "~/features/people/set-user-password.server";
import { updateUser } from "~/features/people/update-user.server";
import { defaultUserSort, userColumns, userFilters } from "~/features/people/user-columns";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPage } from "~/http/forms/keep-page";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { listQuery } from "~/lists/list-query";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { PageHead } from "~/ui/layout/page-frame";
import { columns } from "./columns";
import { presentUsers } from "./present";
import { UserEditor } from "./user-editor";

export const meta = pageTitle("Henvisere");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, listUsers, listQuery(args.request), { forms: { updateUser, setUserPassword } });

export const clientLoader = keepPage;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterUsers, updateUser, setUserPassword });

/** Everybody with an account: staff see all, secretaries those of their clinics. */
export default function Users() {
  const list = presentUsers(useLoaderData<typeof loader>());
  const here = hereOf(paths.users, list);
  const dialog = useOutlet();
  const { search } = useLocation();
  const hydrated = useHydrated();
  // Without JavaScript a page of its own.
  if (dialog && !hydrated) return dialog;
  return (
    <>
      {dialog}
      <PageHead
        title="Henvisere"
        tools={
          <ButtonLink to={`${paths.newUser}${search}`} icon="plus" preventScrollReset>
            Opret bruger
          </ButtonLink>
        }
      />
      <DirectoryList
        list={list}
        path={paths.users}
        here={here}
        filters={userFilters}
        intent="filterUsers"
        choices={{ clinics: list.clinics }}
        caption="Henvisere"
        one="bruger"
        many="brugere"
        columns={columns(list.openId, here)}
        sortColumns={userColumns}
        defaultSort={defaultUserSort}
        open={list.open && <UserEditor key={list.open.id} user={list.open} here={here} />}
      />
    </>
  );
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { createUser, readNewUser } from "~/features/people/create-user.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { NewUserForm } from "./new-user-form";

export const meta = pageTitle("Opret bruger");

export const handle = { pageForm: () => "createUser" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readNewUser, {}, { forms: { createUser } });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { createUser });

export default function NewUser() {
  const closeTo = `${paths.users}${useLocation().search}`;
  return (
    <DialogPage wide title="Opret bruger" closeTo={closeTo}>
      <NewUserForm {...useLoaderData<typeof loader>()} closeTo={closeTo} />
    </DialogPage>
  );
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { MergePanel } from "~/components/merge-panel/merge-panel";
import type { MergeColumn } from "~/components/merge-panel/merge-values";
import { NothingToMerge } from "~/components/merge-panel/nothing-to-merge";
import { panelPaths, panelQuery } from "~/components/merge-panel/panel-query";
import { mergeUsers } from "~/features/people/merge-users.server";
import { readUserMerge } from "~/features/people/read-user-merge.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { presentUserMerge } from "./present";

export const meta = pageTitle("Fusioner profilerne");

export const handle = { pageForm: () => "mergeUsers" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readUserMerge, panelQuery(args.request));

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { mergeUsers });

export default function MergeUsers() {
  const merge = presentUserMerge(useLoaderData<typeof loader>());
  const { search } = useLocation();
  const links = panelPaths(paths.users, paths.mergeUsers, search, merge.columns);
  if (!merge.mayMerge) return <NothingToMerge closeTo={links.closeTo} />;
  return (
    <MergePanel
      key={merge.columns.map(({ id }) => id).join()}
      intent="mergeUsers"
      title="Fusioner profilerne"
      resultTitle="Resultat - Hevisere info"
      keepLabel="Brugernavn"
      {...merge}
      {...links}
      footnote={merge.clinics}
      Warning={Warning}
    />
  );
}

const Warning = ({ keep, others }: { keep: MergeColumn; others: MergeColumn[] }) => (
  <p>
    <b>En fusionering kan ikke fortrydes.</b> Alle henvisninger samles hos {keep.knownAs}. Logger nogen ind som{" "}
    {others.map(({ knownAs }) => knownAs).join(" eller ")}, står der: Din profil er samlet med {keep.knownAs}.
  </p>
);

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { MemberRow } from "./member-row";
import { MergePanel } from "~/components/merge-panel/merge-panel";
import { NothingToMerge } from "~/components/merge-panel/nothing-to-merge";
import { panelPaths, panelQuery } from "~/components/merge-panel/panel-query";
import { mergeClinics } from "~/features/clinics/merge-clinics.server";
import { readClinicMerge } from "~/features/clinics/read-clinic-merge.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { presentClinicMerge } from "./present";

export const meta = pageTitle("Fusioner klinikkerne");

export const handle = { pageForm: () => "mergeClinics" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readClinicMerge, panelQuery(args.request));

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { mergeClinics });

/** 'Fusioner klinikkerne'; with JavaScript above the list. */
export default function MergeClinics() {
  const merge = presentClinicMerge(useLoaderData<typeof loader>());
  const { search } = useLocation();
  const links = panelPaths(paths.clinics, paths.mergeClinics, search, merge.columns);
  if (!merge.mayMerge) return <NothingToMerge closeTo={links.closeTo} />;
  return (
    <MergePanel
      key={merge.columns.map(({ id }) => id).join()}
      intent="mergeClinics"
      title="Fusioner klinikkerne"
      resultTitle="Resultat - Klinik info"
      keepLabel="Klinik, der beholdes"
      {...merge}
      {...links}
      information={<MemberRow columns={merge.members} total={merge.memberCount} />}
      Warning={Warning}
    />
  );
}

const Warning = () => (
  <>
    <p>
      <b>En fusionering kan ikke fortrydes.</b>
    </p>
    <ul className="list-disc pl-5">
      <li>Alle klinikkernes medlemmer samles i én klinik.</li>
      <li>En sekretærs rolle i den tidligere klinik beholdes i den nye.</li>
      <li>Alle henvisninger bliver hos den oprindelige henviser.</li>
      <li>Tandlæger kan have flere profiler, men er unikke og forbliver adskilte.</li>
    </ul>
  </>
);

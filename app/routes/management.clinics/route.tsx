import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation, useOutlet } from "@remix-run/react";
import { DirectoryList, hereOf } from "~/components/directory-list/directory-list";
import { DuplicateSuggestions } from "~/components/merge-panel/duplicate-suggestions";
import { MergeHistory } from "~/components/merge-panel/merge-history";
import { MergeTools } from "~/components/merge-panel/merge-tools";
import { undoMerge } from "~/features/merging/undo-merge.server";
import { clinicColumns, clinicFilters, defaultClinicSort } from "~/features/clinics/clinic-columns";
import { filterClinics } from "~/features/clinics/filter-clinics.server";
import { listClinicsPage } from "~/features/clinics/list-clinics-page.server";
import { updateClinic } from "~/features/clinics/update-clinic.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { readListQuery } from "~/lists/list-query";
import { CONTROLS, paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { PageHead } from "~/ui/layout/page-frame";
import { ClinicEditor } from "./clinic-editor";
import { columns } from "./columns";
import { PageJump } from "./page-jump";
import { presentClinics } from "./present";

export const meta = pageTitle("Klinik");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, listClinicsPage, readListQuery(args.request), {
    forms: { updateClinic },
    subject: ({ openId, rows, merges }) => {
      const open = rows.find(({ id }) => id === openId);
      if (open === undefined) return {};
      return {
        fields: { clinicId: open.id },
        versions: { version: open.version },
        items: { runId: merges?.map(({ id }) => [id]) ?? [] },
      };
    },
  });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterClinics, updateClinic, undoMerge });

export default function Clinics() {
  const list = presentClinics(useLoaderData<typeof loader>());
  const here = hereOf(paths.clinics, list);
  const above = useOutlet();
  const { pathname, search } = useLocation();
  const isMerging = pathname === paths.mergeClinics;
  const hydrated = useHydrated();
  // A page of its own without JavaScript.
  if (above && !hydrated) return above;
  return (
    <>
      {!isMerging && above}
      <div id={CONTROLS}>
        <PageHead
          title="Klinik"
          tools={
            list.mayManageAll && (
              <div className="row">
                <MergeTools picks={list.picks} what="klinikkerne" path={paths.mergeClinics} here={here} />
                <ButtonLink to={`${paths.newClinic}${search}`} icon="plus" preventScrollReset>
                  Opret klinik
                </ButtonLink>
              </div>
            )
          }
        />
      </div>
      {isMerging && above}
      <DirectoryList
        list={list}
        path={paths.clinics}
        here={here}
        filters={clinicFilters}
        intent="filterClinics"
        caption="Klinikker"
        one="klinik"
        many="klinikker"
        columns={columns({
          ...list,
          here,
          isStaffs: list.mayManageAll,
          pickHere: isMerging ? hereOf(paths.mergeClinics, list) : here,
        })}
        sortColumns={clinicColumns}
        defaultSort={defaultClinicSort}
        open={
          list.open && (
            <ClinicEditor
              key={list.open.id}
              clinic={list.open}
              setsStatus={list.mayManageAll}
              here={here}
              more={
                <>
                  <DuplicateSuggestions
                    id={list.open.id}
                    title="Måske samme klinik"
                    others={list.likelySame}
                    here={here}
                  />
                  <MergeHistory merges={list.merges} here={here} />
                </>
              }
            />
          )
        }
        jump={<PageJump list={list} />}
      />
    </>
  );
}

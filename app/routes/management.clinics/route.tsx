import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation, useOutlet } from "@remix-run/react";
import { DirectoryList, hereOf } from "~/components/directory-list/directory-list";
import { clinicColumns, clinicFilters, defaultClinicSort } from "~/features/clinics/clinic-columns";
import { filterClinics } from "~/features/clinics/filter-clinics.server";
import { listClinicsPage } from "~/features/clinics/list-clinics-page.server";
import { updateClinic } from "~/features/clinics/update-clinic.server";
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
import { ClinicEditor } from "./clinic-editor";
import { columns } from "./columns";
import { PageJump } from "./page-jump";
import { presentClinics } from "./present";

export const meta = pageTitle("Klinik");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, listClinicsPage, listQuery(args.request), { forms: { updateClinic } });

export const clientLoader = keepPage;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterClinics, updateClinic });

/** The clinics: staff see all, secretaries their own. */
export default function Clinics() {
  const list = presentClinics(useLoaderData<typeof loader>());
  const here = hereOf(paths.clinics, list);
  const dialog = useOutlet();
  const { search } = useLocation();
  const hydrated = useHydrated();
  // Without JavaScript a page of its own.
  if (dialog && !hydrated) return dialog;
  return (
    <>
      {dialog}
      <PageHead
        title="Klinik"
        tools={
          list.mayManageAll && (
            <ButtonLink to={`${paths.newClinic}${search}`} icon="plus" preventScrollReset>
              Opret klinik
            </ButtonLink>
          )
        }
      />
      <DirectoryList
        list={list}
        path={paths.clinics}
        here={here}
        filters={clinicFilters}
        intent="filterClinics"
        caption="Klinikker"
        one="klinik"
        many="klinikker"
        columns={columns({ openId: list.openId, here, isStaffs: list.mayManageAll })}
        sortColumns={clinicColumns}
        defaultSort={defaultClinicSort}
        open={
          list.open && <ClinicEditor key={list.open.id} clinic={list.open} setsStatus={list.mayManageAll} here={here} />
        }
        jump={<PageJump list={list} />}
      />
    </>
  );
}

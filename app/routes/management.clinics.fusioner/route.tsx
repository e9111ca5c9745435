import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { gridOf, resultCell, MergePanel } from "~/components/merge-panel/merge-panel";
import type { MergeColumn, MergeRow } from "~/components/merge-panel/merge-values";
import { NothingToMerge } from "~/components/merge-panel/merge-tools";
import { panelPaths, panelQuery, presentMoving } from "~/components/merge-panel/present-merges";
import { mergeClinics, readClinicMerge } from "~/features/clinics/operations.server";
import { activity } from "~/features/directory/activity";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showDate } from "~/text/dates";

interface MemberRowProps {
  columns: { id: number; members: { id: number; name: string }[] }[];
  total: number;
}

function MemberRow({ columns, total }: MemberRowProps) {
  return (
    <div className={gridOf(columns)} role="group" aria-label="Henvisere/brugere">
      <div className="px-4 pt-2 table:py-3 font-semibold table:font-normal table:text-ink2">
        Henvisere/
        <wbr />
        brugere
      </div>
      {columns.map(({ id, members }) => (
        <div key={id} className="px-4 py-2 table:py-3 min-w-0">
          <b>{members.length}</b>
          <p className="meta break-anywhere">{members.map(({ name }) => name || "Uden navn").join(", ")}</p>
        </div>
      ))}
      <div className={resultCell}>
        <b>{total}</b> <span className="meta">i alt, hver én gang</span>
      </div>
    </div>
  );
}

type Values = SerializeFrom<typeof loader>;
type Clinic = Values["clinics"][number];

const presentClinicMerge = ({ clinics, maxCounted, ...rest }: Values) => ({
  ...rest,
  columns: clinics.map((clinic): MergeColumn => ({
    id: clinic.id,
    version: clinic.version,
    name: clinic.name,
    note: `Oprettet ${showDate(clinic.createdAt)} · ID ${clinic.id}`,
    knownAs:
      clinics.filter(({ name }) => name === clinic.name).length > 1 ? `${clinic.name} (${clinic.id})` : clinic.name,
    moving: presentMoving(clinic.moving, maxCounted),
  })),
  rows: rowsOf(clinics),
  members: clinics.map(({ id, members }) => ({ id, members })),
  memberCount: new Set(clinics.flatMap(({ members }) => members.map(({ id }) => id))).size,
});

const rowsOf = (clinics: Clinic[]): MergeRow[] => {
  const row = (name: keyof Clinic, label: string, more: Partial<MergeRow> = {}): MergeRow => ({
    name,
    label,
    values: clinics.map((clinic) => String(clinic[name] ?? "")),
    ...more,
  });
  return [
    row("name", "Titel"),
    row("email", "Email", { inputMode: "email", fillsEmpty: true }),
    row("phone", "Telefon", { inputMode: "tel", fillsEmpty: true }),
    row("mobilePhone", "Mobil", { inputMode: "tel", fillsEmpty: true }),
    row("address", "Adresse", { fillsEmpty: true }),
    row("zip", "Postnummer", { fillsEmpty: true }),
    row("city", "By", { fillsEmpty: true }),
    row("status", "Status", { choices: activity }),
  ];
};

export const meta = pageTitle("Fusioner klinikkerne");

export const handle = { pageForm: () => "mergeClinics" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => runPage(args, readClinicMerge, panelQuery(args.request));

export const action = (args: ActionFunctionArgs) => runCommand(args, { mergeClinics });

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

import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { MergePanel } from "~/components/merge-panel/merge-panel";
import type { MergeColumn, MergeRow } from "~/components/merge-panel/merge-values";
import { NothingToMerge } from "~/components/merge-panel/merge-tools";
import { panelPaths, panelQuery, presentMoving } from "~/components/merge-panel/present-merges";
import { activity } from "~/features/directory/activity";
import { NO, YES } from "~/features/merging/merge-words";
import { mergeUsers } from "~/features/people/merge-users.server";
import { readUserMerge } from "~/features/people/operations.server";
import { roleBoxes } from "~/features/people/role-names";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showDate } from "~/text/dates";

type Values = SerializeFrom<typeof loader>;
type User = Values["users"][number];

const yesOrNo = [
  { value: NO, label: "Ingen" },
  { value: YES, label: "Ja" },
];

const presentUserMerge = ({ users, maxCounted, ...rest }: Values) => ({
  ...rest,
  columns: users.map((user): MergeColumn => ({
    id: user.id,
    version: user.version,
    name: user.name,
    note: `Oprettet ${showDate(user.createdAt)} · ${user.lastActiveAt ? `sidst aktiv ${showDate(user.lastActiveAt)}` : "aldrig aktiv"}`,
    knownAs: user.userName,
    isBound: user.isBound,
    moving: presentMoving(user.moving, maxCounted),
  })),
  rows: rowsOf(users),
  clinics: `Klinik: ${[...new Set(users.flatMap(({ clinics }) => clinics))].join(", ")}`,
});

const rowsOf = (users: User[]): MergeRow[] => {
  const row = (name: keyof User, label: string, more: Partial<MergeRow> = {}): MergeRow => ({
    name,
    label,
    values: users.map((user) => textOf(user[name])),
    ...more,
  });
  return [
    row("firstName", "Fornavn"),
    row("lastName", "Efternavn"),
    row("email", "Email", { inputMode: "email" }),
    row("phone", "Telefon", { inputMode: "tel", fillsEmpty: true }),
    row("mobilePhone", "Mobil", { inputMode: "tel", fillsEmpty: true }),
    row("status", "Status", { choices: activity }),
    row("dentistExternalId", "Henviser id", { fillsEmpty: true }),
    row("ediDentistId", "EDI Henviser id", { inputMode: "numeric" }),
    row("isSecretary", roleBoxes.isSecretary, { choices: yesOrNo }),
    row("sendEndingLettersViaEdi", "Send Udskrivningsbrev via EDI", { choices: yesOrNo }),
  ];
};

const textOf = (value: unknown): string => (typeof value === "boolean" ? (value ? YES : NO) : String(value ?? ""));

export const meta = pageTitle("Fusioner profilerne");

export const handle = { pageForm: () => "mergeUsers" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => runPage(args, readUserMerge, panelQuery(args.request));

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

function bindingText(keep: MergeColumn, others: MergeColumn[]): string {
  const [moved, ...lost] = others.filter(({ isBound }) => isBound).map(({ knownAs }) => knownAs);
  if (moved === undefined) return "";
  const ended = keep.isBound ? [moved, ...lost] : lost;
  const follows = keep.isBound
    ? ""
    : ` Kontoen hos login-udbyderen flyttes fra ${moved} til ${keep.knownAs}, og den logger fremover ind som ${keep.knownAs}.`;
  return ended.length === 0
    ? follows
    : `${follows} ${keep.knownAs} har sin egen konto hos login-udbyderen. Kontoen for ${ended.join(" og ")} kan ikke længere logge ind.`;
}

const Warning = ({ keep, others }: { keep: MergeColumn; others: MergeColumn[] }) => (
  <p>
    <b>En fusionering kan ikke fortrydes.</b> Alle henvisninger samles hos {keep.knownAs}. Logger nogen ind som{" "}
    {others.map(({ knownAs }) => knownAs).join(" eller ")}, står der: Din profil er samlet med {keep.knownAs}.
    {bindingText(keep, others)}
  </p>
);

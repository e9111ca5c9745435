import { getFormProps } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { type ImportKind, importKindNames, importKinds, MAX_ROWS } from "~/features/directory-import/import-columns";
import { importDirectory } from "~/features/directory-import/import-directory.server";
import { readDirectoryImport, uploadDirectory } from "~/features/directory-import/read-import.server";
import { acceptAttribute } from "~/files/file-rules";
import { guidanceText } from "~/files/file-texts";
import { ActionForm } from "~/http/forms/action-form";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { useBusy } from "~/http/forms/use-busy";
import { useServerForm } from "~/http/forms/use-server-form";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { DryRun } from "./dry-run";

const labels = { kind: "Hvad er i filen", DirectoryFile: "CSV-fil" };

/** Upload of the file; nothing is created before its effect is shown. */
function UploadForm({ kind }: { kind: ImportKind }) {
  const { form, fields, summary } = useServerForm<typeof labels>("uploadDirectory", {
    labels,
    defaultValue: { kind },
  });
  return (
    <ActionForm
      operation="uploadDirectory"
      place="uploadDirectory"
      showsErrors
      action={paths.directoryImport}
      encType="multipart/form-data"
      {...getFormProps(form)}
      className="panel panel-body stack"
    >
      <ErrorSummary {...summary("Filen er ikke læst.")} />
      <RadioGroup
        field={fields.kind}
        label={labels.kind}
        choices={importKindNames.map((value) => ({ value, label: importKinds[value].label }))}
      />
      <FileField
        field={fields.DirectoryFile}
        label={labels.DirectoryFile}
        accept={acceptAttribute("directory")}
        types={guidanceText("directory")}
        hint={`Første linje er kolonnernes navne, i vilkårlig rækkefølge. Højst ${showCount(MAX_ROWS)} linjer.`}
      />
      <ul className="meta">
        {importKindNames.map((each) => (
          <li key={each}>
            <b>{importKinds[each].label}:</b> {importKinds[each].columns.map(([title]) => title).join(", ")}.{" "}
            <a href={paths.importTemplate(each)}>Hent skabelon</a>
          </li>
        ))}
      </ul>
      <p>
        <Button
          name="intent"
          value="uploadDirectory"
          variant="primary"
          icon="upload"
          state={useBusy("uploadDirectory")}
        >
          Vis, hvad filen vil gøre
        </Button>
      </p>
    </ActionForm>
  );
}

export const meta = pageTitle("Import");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(
    args,
    readDirectoryImport,
    { kind: query.get("type"), planId: query.get("plan"), page: query.get("page") ?? 1 },
    { subject: ({ dryRun }) => (dryRun === null ? {} : { fields: { planId: dryRun.planId } }) },
  );
};

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { uploadDirectory, importDirectory });

export default function DirectoryImport() {
  const { kind, isGone, dryRun } = useLoaderData<typeof loader>();
  if (dryRun) return <DryRun key={`${dryRun.planId} ${JSON.stringify(dryRun.counts)}`} kind={kind} run={dryRun} />;
  return (
    <div className="stack">
      {isGone && (
        <Notice kind="info" live>
          Prøvekørslen er her ikke længere. Er filen ikke importeret, så vælg den igen.
        </Notice>
      )}
      <UploadForm kind={kind} />
    </div>
  );
}

import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { type ImportKind, importKindNames, importKinds, MAX_ROWS } from "~/features/directory-import/import-columns";
import { acceptAttribute } from "~/files/file-rules";
import { guidanceText } from "~/files/file-texts";
import { useBusy } from "~/http/forms/use-busy";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Button } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";

const labels = { kind: "Hvad er i filen", DirectoryFile: "CSV-fil" };

/** Upload of the file; nothing is created before its effect is shown. */
export function UploadForm({ kind }: { kind: ImportKind }) {
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

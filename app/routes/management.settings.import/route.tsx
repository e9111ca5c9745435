import { Link, useLoaderData } from "@remix-run/react";
import {
  type ImportKind,
  importKindNames,
  importKinds,
  type LineOutcome,
  MAX_ROWS,
  type PlannedLine,
} from "~/features/directory-import/import-columns";
import { ActionForm, useBusy, useServerForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { Checkbox, RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import {
  importDirectory,
  readDirectoryImport,
  uploadDirectory,
} from "~/features/directory-import/import-directory.server";
import { acceptAttribute } from "~/files/file-rules";
import { guidanceText } from "~/files/file-texts";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { FileField } from "~/ui/forms/file-field";

const outcomes = {
  new: { label: "Oprettes", tone: "ok", icon: "plus" },
  there: { label: "Findes allerede", tone: "closed", icon: "done" },
  wrong: { label: "Fejl", tone: "err", icon: "failed" },
} as const satisfies Record<LineOutcome, object>;

const outcomeOrder = ["new", "there", "wrong"] as const satisfies readonly LineOutcome[];

interface DryRunProps {
  kind: ImportKind;
  run: {
    planId: number;
    fileName: string;
    isShownAgain: boolean;
    counts: Record<PlannedLine["outcome"], number>;
    canMail: boolean;
    page: number;
    pageCount: number;
    lines: PlannedLine[];
  };
}

const columns: PlainColumn<PlannedLine>[] = [
  { label: "Linje", cell: ({ line }) => line },
  { label: "Navn", isVerbatim: true, cell: ({ name }) => name || "–" },
  { label: "Sker der", cell: ({ outcome }) => <StateText state={outcomes[outcome]} /> },
  {
    label: "Hvad er galt",
    cell: ({ errors }) =>
      errors.length > 0 && (
        <ul>
          {errors.map(({ column, text }) => (
            <li key={`${column} ${text}`}>
              {column && <b>{column}:</b>} {text}
            </li>
          ))}
        </ul>
      ),
  },
];

function DryRun({ kind, run }: DryRunProps) {
  const { form, fields, summary } = useServerForm<{ sendLinks?: string }>("importDirectory", {
    defaultValue: { sendLinks: "on" },
  });
  const busy = useBusy("importDirectory");
  const { counts } = run;
  return (
    <section aria-labelledby="proevekoersel" className="stack">
      <div className="row">
        <h2 id="proevekoersel">Prøvekørsel af {importKinds[kind].label.toLowerCase()}</h2>
        <Link to={paths.directoryImport} className="push">
          Vælg en anden fil
        </Link>
      </div>
      {run.isShownAgain ? (
        <Notice kind="warn" title="Linjerne her er ikke importeret.">
          Portalen er ændret siden prøvekørslen, så de er vurderet igen. Resten af {run.fileName} er importeret.
        </Notice>
      ) : (
        <p className="meta">{run.fileName}. Intet er importeret endnu. Prøvekørslen slettes efter et døgn.</p>
      )}
      <ul className="row" aria-label="Sammentælling">
        {outcomeOrder.map((outcome) => (
          <li key={outcome}>
            <StateText
              state={{ ...outcomes[outcome], label: `${outcomes[outcome].label}: ${showCount(counts[outcome])}` }}
            />
          </li>
        ))}
      </ul>
      <ActionForm
        operation="importDirectory"
        enter="nothing"
        place="importDirectory"
        action={paths.directoryDryRun(run.planId)}
        of={form}
        className="stack-s"
      >
        <ErrorSummary {...summary("Intet er importeret.")} />
        {kind === "henvisere" && <Checkbox field={fields.sendLinks} label="Send mail med link nu" />}
        {kind !== "klinikker" && !run.canMail && <p className="meta">Mail: Ikke indstillet. Der sendes intet link.</p>}
        {counts.new > 0 ? (
          <p>
            <Button value="importDirectory" variant="primary" state={busy}>
              Importér {showCount(counts.new)}
            </Button>
          </p>
        ) : (
          <p>Der er intet nyt at importere i filen.</p>
        )}
      </ActionForm>
      <PlainTable caption="Linjer" columns={columns} rows={run.lines} keyOf={({ line }) => line} />
      <Pager
        page={run.page}
        pageCount={run.pageCount}
        href={(page) => paths.directoryDryRun(run.planId, page)}
        label="Sider"
      />
    </section>
  );
}

const labels = { kind: "Hvad er i filen", DirectoryFile: "CSV-fil" };

function UploadForm({ kind }: { kind: ImportKind }) {
  const { form, fields, summary } = useServerForm<typeof labels>("uploadDirectory", {
    labels,
    defaultValue: { kind },
  });
  return (
    <ActionForm
      operation="uploadDirectory"
      place="uploadDirectory"
      action={paths.directoryImport}
      encType="multipart/form-data"
      of={form}
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
        <Button value="uploadDirectory" variant="primary" icon="upload" state={useBusy("uploadDirectory")}>
          Se, hvad der bliver ændret
        </Button>
      </p>
    </ActionForm>
  );
}

export const meta = pageTitle("Import");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(
    args,
    readDirectoryImport,
    { kind: query.get("type"), planId: query.get("plan"), page: query.get("page") ?? 1 },
    { subject: ({ dryRun }) => (dryRun === null ? {} : { fields: { planId: dryRun.planId } }) },
  );
};

export const uploads = [uploadDirectory];

export const action = (args: ActionFunctionArgs) => runCommand(args, { uploadDirectory, importDirectory });

export default function DirectoryImport() {
  const { kind, isGone, dryRun } = useLoaderData<typeof loader>();
  if (dryRun) return <DryRun key={`${dryRun.planId} ${JSON.stringify(dryRun.counts)}`} kind={kind} run={dryRun} />;
  return (
    <div className="stack">
      {isGone && (
        <Notice kind="info" live>
          Prøvekørslen findes ikke længere. Er filen ikke importeret, så vælg den igen.
        </Notice>
      )}
      <UploadForm kind={kind} />
    </div>
  );
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { importDirectory } from "~/features/directory-import/import-directory.server";
import { readDirectoryImport, uploadDirectory } from "~/features/directory-import/read-import.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { Notice } from "~/ui/feedback/notice";
import { DryRun } from "./dry-run";
import { UploadForm } from "./upload-form";

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

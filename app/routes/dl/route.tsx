import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { ExpiredLink, NoFiles, WhereFilesGo } from "~/components/patient-link/patient-link";
import { readLinkedLetter } from "~/features/patient-links/open-patient-link.server";
import { requestNewLink } from "~/features/patient-links/operations.server";
import { runCommand } from "~/http/runners/page.server";
import { runLinkPage } from "~/http/runners/patient-link.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { linkToken, patientPaths } from "~/text/link-token";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { PublicPage } from "~/ui/public/public-page";

export const handle = { plain: true, noAccount: true };

export const meta = pageTitle("Hent brev");

export const loader = (args: LoaderFunctionArgs) => runLinkPage(args, "letterFilesLink", readLinkedLetter);

export const action = (args: ActionFunctionArgs) => runCommand(args, { requestNewLink });

export default function Letter() {
  const found = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  const token = linkToken(useSearchParams()[0]);
  if (!settings) return null;
  if ("isExpired" in found)
    return (
      <PublicPage clinic={settings.clinicName}>
        <ExpiredLink purpose="letterFilesLink" />
      </PublicPage>
    );
  return (
    <PublicPage clinic={found.clinicName}>
      <h1>Dit brev</h1>
      {found.hasFiles ? (
        <>
          <WhereFilesGo />
          <a className="btn btn-primary" href={patientPaths.patientLetterZip(token)}>
            <InlineIcon name="download" />
            Alle filer - ZIP
          </a>
        </>
      ) : (
        <NoFiles email={settings.supportEmail} what="brevet" />
      )}
    </PublicPage>
  );
}

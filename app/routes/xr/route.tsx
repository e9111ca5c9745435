import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { ExpiredLink, NoFiles, WhereFilesGo } from "~/components/patient-link/patient-link";
import { readLinkedRadiographs } from "~/features/patient-links/open-patient-link.server";
import { requestNewLink } from "~/features/patient-links/operations.server";
import { runCommand } from "~/http/runners/page.server";
import { runLinkPage } from "~/http/runners/patient-link.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { linkToken, patientPaths } from "~/text/link-token";
import { showBytes } from "~/text/numbers";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { FileLinks } from "~/ui/lists/file-links";
import { PublicPage } from "~/ui/public/public-page";

export const handle = { plain: true, noAccount: true };

export const meta = pageTitle("Hent røntgenbilleder");

export const loader = (args: LoaderFunctionArgs) => runLinkPage(args, "radiographLink", readLinkedRadiographs);

export const action = (args: ActionFunctionArgs) => runCommand(args, { requestNewLink });

export default function Radiographs() {
  const found = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  const token = linkToken(useSearchParams()[0]);
  if (!settings) return null;
  if ("isExpired" in found)
    return (
      <PublicPage clinic={settings.clinicName}>
        <ExpiredLink purpose="radiographLink" />
      </PublicPage>
    );
  return (
    <PublicPage clinic={found.clinicName}>
      <h1>Dine røntgenbilleder</h1>
      {found.files.length === 0 ? (
        <NoFiles email={settings.supportEmail} what="røntgen" />
      ) : (
        <>
          <WhereFilesGo />
          <FileLinks
            files={found.files.map(({ id, fileName, sizeBytes, isDicom }) => ({
              href: patientPaths.patientRadiograph(id, token),
              name: fileName,
              note: showBytes(sizeBytes),
              ...(isDicom ? { picture: patientPaths.patientPicture(id, token) } : {}),
            }))}
          />
          <a className="btn btn-primary" href={patientPaths.patientRadiographsZip(token)}>
            <InlineIcon name="download" />
            Alle filer - ZIP
          </a>
        </>
      )}
    </PublicPage>
  );
}

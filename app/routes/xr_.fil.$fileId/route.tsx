import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadLinkedRadiograph } from "~/features/patient-links/open-patient-link.server";
import { runLinkDownload } from "~/http/runners/patient-link.server";
import { patientPaths } from "~/text/link-token";

export const loader = (args: LoaderFunctionArgs) =>
  runLinkDownload(args, "radiographLink", downloadLinkedRadiograph, patientPaths.patientRadiographs);

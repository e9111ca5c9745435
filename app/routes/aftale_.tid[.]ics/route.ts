import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadCalendar } from "~/features/appointment-answers/open-appointment.server";
import { runLinkDownload } from "~/http/runners/patient-link.server";
import { patientPaths } from "~/text/link-token";

export const loader = (args: LoaderFunctionArgs) =>
  runLinkDownload(args, "appointmentAnswer", downloadCalendar, patientPaths.appointmentAnswer);

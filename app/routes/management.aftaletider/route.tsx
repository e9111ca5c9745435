import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToUpload } from "~/features/appointments/read-appointments.server";
import { keepPageOnNetworkError } from "~/http/forms/keep-on-network-error";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToUpload);

export const clientLoader = keepPageOnNetworkError;

/** Never rendered: the loader redirects. */
export default function Nowhere() {
  return null;
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToUpload } from "~/features/appointments/operations.server";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToUpload);

export { clientLoader } from "~/http/forms/client-page";

/** Never rendered: the loader redirects. */
export default function Nowhere() {
  return null;
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToPortalText } from "~/features/portal-texts/operations.server";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToPortalText);

export { clientLoader } from "~/http/forms/client-page";

/** Never rendered: the loader redirects. */
export default function Nowhere() {
  return null;
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToPortalText } from "~/features/portal-texts/operations.server";
import { keepPageOnNetworkError } from "~/http/forms/client-page";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToPortalText);

export const clientLoader = keepPageOnNetworkError;

/** Never rendered: the loader redirects. */
export default function Nowhere() {
  return null;
}

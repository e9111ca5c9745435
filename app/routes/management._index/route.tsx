import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToOverview } from "~/features/accounts/redirect-to-start.server";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToOverview);

export const clientLoader = keepPageOnNetworkError;

/** Never seen. Remix takes a route without a view for a download, and would not hand the shell's forms to /management to the shell. */
export default function Nowhere() {
  return null;
}

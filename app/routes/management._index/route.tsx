import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToOverview } from "~/features/accounts/operations.server";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToOverview);

export { clientLoader } from "~/http/forms/client-page";

/** Never rendered. Without a view Remix treats the route as a download and does not pass forms to the shell. */
export default function Nowhere() {
  return null;
}

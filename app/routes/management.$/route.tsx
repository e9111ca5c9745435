import type { LoaderFunctionArgs } from "@remix-run/node";
import { readUnknownPage } from "~/features/accounts/operations.server";
import { runPage } from "~/http/runners/page.server";

/** An unknown address: the shell's error boundary shows the answer, so that the tabs remain. */
export const loader = (args: LoaderFunctionArgs) => runPage(args, readUnknownPage);

export { clientLoader } from "~/http/forms/client-page";

/** Never rendered. Without a view Remix treats the route as a download. */
export default function UnknownPage() {
  return null;
}

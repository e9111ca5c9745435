import type { LoaderFunctionArgs } from "@remix-run/node";
import { moveToOverview } from "~/features/accounts/move-to-start.server";
import { keepPage } from "~/http/forms/keep-page";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, moveToOverview);

export const clientLoader = keepPage;

/** Never seen. Remix takes a route without a view for a download, and would not hand the shell's forms to /management to the shell. */
export default function Nowhere() {
  return null;
}

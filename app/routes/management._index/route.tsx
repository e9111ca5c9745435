import type { LoaderFunctionArgs } from "@remix-run/node";
import { moveToOverview } from "~/features/accounts/move-to-start.server";
import { runPage } from "~/http/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, moveToOverview);

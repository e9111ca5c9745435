import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToSignIn } from "~/features/accounts/operations.server";
import { runPage } from "~/http/runners/page.server";

export const loader = (args: LoaderFunctionArgs) => runPage(args, redirectToSignIn);

import type { LoaderFunctionArgs } from "@remix-run/node";
import { readAccount } from "~/features/shell/read-shell.server";
import { runApi } from "~/http/api/api.server";

export const loader = (args: LoaderFunctionArgs) =>
  runApi(args, readAccount, { visitId: new URL(args.request.url).searchParams.get("visitId") });

import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadExport } from "~/features/exports/operations.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadExport, { e: new URL(args.request.url).searchParams.get("e") });

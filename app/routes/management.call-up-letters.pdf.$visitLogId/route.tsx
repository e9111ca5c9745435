import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadCallUpPdf } from "~/features/call-ups/send-call-up.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadCallUpPdf, { visitLogId: args.params.visitLogId });

import type { LoaderFunctionArgs } from "@remix-run/node";
import { readLogMail } from "~/features/logs/log-list.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, readLogMail, { messageId: args.params.messageId });

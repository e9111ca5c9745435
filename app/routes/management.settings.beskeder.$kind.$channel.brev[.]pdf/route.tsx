import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadTextSample } from "~/features/message-settings/read-message-text.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runDownload(args, downloadTextSample, {
    ...args.params,
    subject: query.get("subject") ?? undefined,
    body: query.get("body") ?? undefined,
  });
};

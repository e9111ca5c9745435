import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadLetterSample } from "~/features/message-settings/read-message-text.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) => runDownload(args, downloadLetterSample, {});

import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadLetterSample } from "~/features/message-settings/sample-letter.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) => runDownload(args, downloadLetterSample, {});

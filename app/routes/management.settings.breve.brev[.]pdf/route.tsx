import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadLetterSample } from "~/features/message-settings/sample-letter.server";
import { runDownload } from "~/http/runners/download.server";

/** A letter to an invented patient, as the settings make it. */
export const loader = (args: LoaderFunctionArgs) => runDownload(args, downloadLetterSample, {});

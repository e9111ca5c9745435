import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadLetterBatch } from "~/features/letter-batches/read-letter-archive.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadLetterBatch, { batchId: args.params.batchId });

import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadDevLetter } from "~/features/delivery/dev-outbox.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadDevLetter, { outboxId: args.params.outboxId });

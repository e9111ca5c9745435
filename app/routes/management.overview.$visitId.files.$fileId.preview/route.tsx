import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadPreview } from "~/features/referrals/download-referral-file.server";
import { runDownload } from "~/http/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadPreview, {
    referralId: args.params.visitId,
    fileId: args.params.fileId,
    size: new URL(args.request.url).searchParams.get("size"),
  });

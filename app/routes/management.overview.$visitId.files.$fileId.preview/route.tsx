import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadPreview } from "~/features/referrals/images/download-referral-file.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) => {
  const { size, frame, brightness, contrast } = Object.fromEntries(new URL(args.request.url).searchParams);
  return runDownload(args, downloadPreview, {
    referralId: args.params.visitId,
    fileId: args.params.fileId,
    size,
    frame,
    brightness,
    contrast,
  });
};

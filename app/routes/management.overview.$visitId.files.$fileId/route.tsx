import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadReferralFile } from "~/features/referrals/images/download-referral-file.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadReferralFile, { referralId: args.params.visitId, fileId: args.params.fileId });

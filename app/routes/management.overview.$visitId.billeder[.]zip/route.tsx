import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadRadiographs } from "~/features/referrals/images/download-referral-file.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadRadiographs, { referralId: args.params.visitId });

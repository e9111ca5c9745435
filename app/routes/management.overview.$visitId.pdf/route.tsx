import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadReferralPdf } from "~/features/referrals/details/referral-pdf.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(args, downloadReferralPdf, { referralId: args.params.visitId });

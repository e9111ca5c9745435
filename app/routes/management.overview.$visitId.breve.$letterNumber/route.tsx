import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadLetter } from "~/features/discharge-letters/read-discharge-letters.server";
import { runDownload } from "~/http/runners/download.server";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runDownload(args, downloadLetter, {
    referralId: args.params.visitId,
    letterNumber: args.params.letterNumber,
    kind: query.get("som"),
    mailedTo: query.get("mid"),
  });
};

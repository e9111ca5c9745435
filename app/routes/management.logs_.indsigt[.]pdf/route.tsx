import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadInsight } from "~/features/audit-log/insight-pdf.server";
import { runDownload } from "~/http/runners/download.server";
import { paths } from "~/paths";

export const loader = (args: LoaderFunctionArgs) =>
  runDownload(
    args,
    downloadInsight,
    { f: new URL(args.request.url).searchParams.get("f") ?? "" },
    { goBack: { href: paths.accessLog(), text: "Til adgangsloggen" } },
  );

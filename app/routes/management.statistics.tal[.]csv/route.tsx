import type { LoaderFunctionArgs } from "@remix-run/node";
import { downloadPlot } from "~/features/statistics/operations.server";
import { runDownload } from "~/http/runners/download.server";
import { paths } from "~/paths";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runDownload(
    args,
    downloadPlot,
    {
      plot: query.get("plot"),
      dateFrom: query.get("fra") ?? undefined,
      dateTo: query.get("til") ?? undefined,
    },
    { goBack: { href: paths.statistics, text: "Til statistikken" } },
  );
};

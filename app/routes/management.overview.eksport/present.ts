import type { SerializeFrom } from "@remix-run/node";
import { showDateTime } from "~/text/dates";
import { showCount } from "~/text/numbers";
import type { loader } from "./route";

export const presentExport = ({ lastExportAt, filteredCount, ...page }: SerializeFrom<typeof loader>) => ({
  ...page,
  lastExportAt: lastExportAt && showDateTime(lastExportAt),
  filtered: filteredCount === 1 ? "1 henvisning" : `${showCount(filteredCount)} henvisninger`,
});

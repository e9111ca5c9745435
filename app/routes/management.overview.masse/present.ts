import type { SerializeFrom } from "@remix-run/node";
import { filters } from "~/features/referrals/list/filters";
import { namedStatuses } from "~/features/referrals/model/status";
import { presentFilter } from "~/lists/present-filter";
import { showCount } from "~/text/numbers";
import type { loader } from "./route";

export function presentMassChange(values: SerializeFrom<typeof loader>) {
  const statuses = namedStatuses(values, values.seesInternal);
  return {
    statuses,
    count: values.count,
    max: values.max,
    many: values.count === 1 ? "1 henvisning" : `${showCount(values.count)} henvisninger`,
    filters: presentFilter(filters, values, statuses).active.map(({ text }) => text),
  };
}

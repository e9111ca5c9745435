import type { SerializeFrom } from "@remix-run/node";
import { filters } from "~/features/referrals/list/filters";
import { namedStatuses, visibleLabel } from "~/features/referrals/model/status";
import { presentFilter } from "~/lists/present-filter";
import { showCount } from "~/text/numbers";
import type { loader } from "./route";

/** The question before all that match a filter get a new status, in words. */
export const presentMassChange = (values: SerializeFrom<typeof loader>) => ({
  status: values.status,
  statusLabel: visibleLabel(values.status, values),
  count: values.count,
  max: values.max,
  many: values.count === 1 ? "1 henvisning" : `${showCount(values.count)} henvisninger`,
  filters: presentFilter(filters, values, namedStatuses(values, values.seesInternal)).active.map(({ text }) => text),
});

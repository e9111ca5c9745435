import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter, isSameSet } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { CallUpFilter } from "./call-up-columns";
import { callUps, callUpStatusValues } from "./call-up-list.server";
import { defaultCallUpStatuses } from "./call-up-states";

export const filterCallUps = lookUp({
  name: "filterCallUps",
  permission: "patientMessage.send",
  input: filterForm(callUps.rules, callUpStatusValues),
  async run({ portal, person }, { sort, ...typed }) {
    const { statuses, ...rest } = allowedFilter(callUps.filters, person, typed as CallUpFilter);
    const filter = statuses && isSameSet(statuses, [...defaultCallUpStatuses]) ? rest : { ...rest, statuses };
    const query = new URLSearchParams({
      ...(Object.values(filter).some((value) => value !== undefined)
        ? { f: sealFilter(callUps, portal.secrets, person, filter) }
        : {}),
      ...(sort ? { sort } : {}),
    });
    return { to: `${paths.callUps}?${query.toString()}` };
  },
});

import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { AccessFilter } from "./access-filters";
import { accesses } from "./access-list.server";

export const filterAccess = lookUp({
  name: "filterAccess",
  permission: "audit.read",
  input: filterForm(accesses.rules),
  async run({ portal, person }, { sort: _sort, cpr, visitNumber, userName, dateFrom, dateTo }) {
    const typed = { cpr, visitNumber, userName, dateFrom, dateTo } as AccessFilter;
    return { to: paths.accessLog(sealFilter(accesses, portal.secrets, person, typed)) };
  },
});

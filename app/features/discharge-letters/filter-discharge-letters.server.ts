import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import { dischargeFilters, type DischargeFilter } from "./discharge-letter-columns";
import { dischargeLetters } from "./discharge-letter-list.server";

export const filterDischargeLetters = lookUp({
  name: "filterDischargeLetters",
  permission: "referral.read",
  input: filterForm(dischargeLetters.rules),
  async run({ portal, person }, { sort, ...typed }) {
    const filter = allowedFilter(dischargeFilters, person, typed as DischargeFilter);
    const query = new URLSearchParams({
      ...(Object.values(filter).some((value) => value !== undefined)
        ? { f: sealFilter(dischargeLetters, portal.secrets, person, filter) }
        : {}),
      ...(sort ? { sort } : {}),
    });
    return { to: `${paths.dischargeLetters}?${query.toString()}` };
  },
});

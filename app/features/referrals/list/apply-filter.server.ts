import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { OverviewFilter } from "./filters";
import { overview } from "./overview-list.server";
import { statuses } from "~/features/referrals/model/status";

/** 'Søg': seals what was typed and answers where the list is; nothing about a patient reaches the address or is stored. */
export const applyFilter = lookUp({
  name: "applyFilter",
  permission: "referral.read",
  input: filterForm(
    overview.rules,
    statuses.map(({ value }) => value),
  ),
  async run({ portal, person }, { sort, ...typed }) {
    const query = new URLSearchParams({
      f: sealFilter(overview, portal.secrets, person, allowedFilter(overview.filters, person, typed as OverviewFilter)),
    });
    if (sort) query.set("sort", sort);
    return { to: `${paths.overview}?${query.toString()}` };
  },
});

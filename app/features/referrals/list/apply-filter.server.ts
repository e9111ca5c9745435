import { z } from "zod";
import { lookUp } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import { typedChoice } from "~/text/fields.server";
import { isLabel } from "~/text/typed-choice";
import { chosenReferrer } from "./filter-choices.server";
import type { OverviewFilter } from "./filters";
import { overview } from "./overview-list.server";
import { statuses } from "~/features/referrals/model/status";

/**
 * 'Søg': seals the filter and redirects to the list, so that no patient data is in the address. Throws `invalid` if the
 * referrer field does not match the choice.
 */
export const applyFilter = lookUp({
  name: "applyFilter",
  permission: "referral.read",
  input: filterForm(
    overview.rules,
    statuses.map(({ value }) => value),
  ).and(z.object({ referrerIdText: typedChoice })),
  async run({ db, portal, person }, { sort, referrerIdText, ...typed }) {
    const { referrerId } = typed as OverviewFilter;
    if (referrerId !== undefined && referrerIdText !== undefined) {
      const referrer = await chosenReferrer({ db }, person, referrerId);
      if (!referrer || !isLabel(referrer.label, referrerIdText))
        throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser fra listen."] } });
    }
    const query = new URLSearchParams({
      f: sealFilter(overview, portal.secrets, person, allowedFilter(overview.filters, person, typed as OverviewFilter)),
    });
    if (sort) query.set("sort", sort);
    return { to: `${paths.overview}?${query.toString()}` };
  },
});

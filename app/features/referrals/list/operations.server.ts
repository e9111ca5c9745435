import { z } from "zod";
import { lookUp, read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { findReferrers, referrerOption } from "~/features/directory/find-referrers.server";
import { statuses, visibleStatus } from "~/features/referrals/model/status";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import { line, typedChoice } from "~/text/fields.server";
import { isLabel } from "~/text/typed-choice";
import { chosenReferrer, filterChoices } from "./filter-choices.server";
import type { OverviewFilter } from "./filters";
import { overview } from "./overview-list.server";
import { readReferralPage, referralPageInput } from "./referral-page.server";

/**
 * Neighbours of a referral in the list it was opened from, and how many are left; for pages of a single referral. The
 * answer contains no patient data, so nothing else is audited.
 */
export const readListAround = read({
  name: "readListAround",
  permission: "referral.read",
  input: z.object(referralPageInput),
  async run({ person, portal }, input) {
    const { shown, rows, place } = await readReferralPage(portal, person, input);
    return {
      ...place,
      f: shown().f,
      rows: rows.map(({ id, status, hasLeft }) => ({
        id,
        status: visibleStatus(status, person),
        ...(hasLeft ? { hasLeft } : {}),
      })),
    };
  },
});

/**
 * 'Flere filtre': choices for more filters, returned to the form so that typed text stays. `search` finds referrers
 * when there are too many for a list.
 */
export const moreFilters = lookUp({
  name: "moreFilters",
  permission: "referral.read",
  input: z.object({ search: line.max(200).optional() }),
  async run({ db, person, portal }, { search }) {
    const choices = await filterChoices({ cache: portal.cache, db }, person);
    const found = search && can(person, "referral.chooseReferrer") ? await findReferrers(db, person, search) : null;
    return {
      data: {
        choices: { ...choices, chosenReferrer: null },
        search,
        referrers: found?.map(referrerOption),
      },
    };
  },
});

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

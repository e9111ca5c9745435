import { z } from "zod";
import { lookUp } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findReferrers, referrerOption } from "~/features/directory/find-referrers.server";
import { filterChoices } from "./filter-choices.server";
import { line } from "~/text/fields.server";

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

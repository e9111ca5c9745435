import { z } from "zod";
import { lookUp } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findReferrers, referrerOption } from "~/features/directory/find-referrers.server";
import { filterChoices } from "./filter-choices.server";
import { line } from "~/text/fields.server";

/**
 * 'Flere filtre': whom and what one may filter by, answered to the form itself so that what was typed stays. Where the referrers are too
 * many for a list, `search` finds some by name or clinic.
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

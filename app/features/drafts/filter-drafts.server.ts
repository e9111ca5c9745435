import { change } from "~/access/operation.server";
import { filterForm } from "~/features/referrals/apply-filter.server";
import { sealFilter } from "~/features/referrals/filter-seal.server";
import { filterFor, type OverviewFilter } from "~/features/referrals/filters";
import { paths } from "~/paths";
import { draftFilterOf } from "./draft-filter";

/** 'Søg' on the page of drafts (specification 2 §2.3): seals what was typed and answers where the list is. */
export const filterDrafts = change({
  name: "filterDrafts",
  permission: "referral.write",
  input: filterForm,
  async run({ portal, person }, { sort, ...typed }) {
    const filter = filterFor(person, draftFilterOf(typed as OverviewFilter));
    const query = new URLSearchParams({ ...(Object.keys(filter).length > 0 ? { f: sealFilter(portal.secrets, person, filter, "drafts") } : {}), ...(sort ? { sort } : {}) });
    return { to: `${paths.drafts}?${query.toString()}` };
  },
});

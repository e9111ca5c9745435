import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { DraftFilter } from "./draft-columns";
import { drafts } from "./draft-list.server";

export const filterDrafts = lookUp({
  name: "filterDrafts",
  permission: "referral.write",
  input: filterForm(drafts.rules),
  async run({ portal, person }, { sort, ...typed }) {
    const filter = allowedFilter(drafts.filters, person, typed as DraftFilter);
    const query = new URLSearchParams({
      ...(Object.values(filter).some((value) => value !== undefined)
        ? { f: sealFilter(drafts, portal.secrets, person, filter) }
        : {}),
      ...(sort ? { sort } : {}),
    });
    return { to: `${paths.drafts}?${query.toString()}` };
  },
});

import { z } from "zod";
import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { picksOf } from "~/features/merging/merge-form";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { UserFilter } from "./user-columns";
import { users } from "./user-list.server";

/** 'Søg' on the page of users. An empty filter is sealed too, because no filter means active users only. */
export const filterUsers = lookUp({
  name: "filterUsers",
  permission: "directory.manage",
  input: filterForm(users.rules).and(z.object({ here: z.string().max(8000).optional() })),
  async run({ portal, person }, { sort, here, ...typed }) {
    const filter = allowedFilter(users.filters, person, typed as UserFilter);
    const query = new URLSearchParams({
      f: sealFilter(users, portal.secrets, person, filter),
      ...(sort ? { sort } : {}),
      ...picksOf(here),
    });
    return { to: `${paths.users}?${query.toString()}` };
  },
});

import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { UserFilter } from "./user-columns";
import { users } from "./user-list.server";

/** 'Søg' on the page of users: seals what was typed and answers where the list is. An emptied filter is sealed too: without one the page begins with those who are active. */
export const filterUsers = lookUp({
  name: "filterUsers",
  permission: "directory.manage",
  input: filterForm(users.rules),
  async run({ portal, person }, { sort, ...typed }) {
    const filter = allowedFilter(users.filters, person, typed as UserFilter);
    const query = new URLSearchParams({
      f: sealFilter(users, portal.secrets, person, filter),
      ...(sort ? { sort } : {}),
    });
    return { to: `${paths.users}?${query.toString()}` };
  },
});

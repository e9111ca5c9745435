import { z } from "zod";
import { read } from "~/access/operation.server";
import { ACTIVE } from "~/features/directory/activity";
import { findClinicChoices } from "~/features/directory/find-choices.server";
import { openList } from "~/lists/define-list.server";
import { filterFields } from "~/lists/filter-rules.server";
import { activeFilters } from "~/lists/filters";
import { pageByNumber, readPage } from "~/lists/read-page.server";
import { sealFilter, unsealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import { can } from "~/access/permissions";
import { picksIn } from "~/features/merging/merge-form";
import { findDuplicateUsers, findKnownAs, readMergeHistory } from "~/features/merging/merging.server";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { findClinicsOfUsers, findRolesOfUsers } from "./people-store.server";
import { readUserOf } from "./read-user.server";
import { kindOf, sortRoles, staffRoles } from "./role-names";
import { findUsersToMerge } from "./merge-user-store.server";
import { pickOf } from "./merge-picks";
import type { UserFilter } from "./user-columns";
import { users } from "./user-list.server";

const standard: UserFilter = { status: ACTIVE };

/** A page of the users whom the person sees, with the form of the row that is open. */
export const listUsers = read({
  name: "listUsers",
  permission: "directory.manage",
  input: z.object({
    sort: z.string().nullish(),
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
    cursor: z.string().max(2000).nullish().catch(null),
    f: z.string().nullish(),
    /** The row that is open: it stays where it stood, also when the filter lets it through no more. */
    openId: z.coerce.number().int().positive().nullish().catch(null),
    /** The filter as it is, for a caller whose address nobody else reads. */
    filter: z.object(filterFields(users.rules, (schema) => schema.optional())).optional(),
    /** Who is picked for a merge, `12.34`. */
    picks: z.string().nullish(),
    ...pageByNumber,
  }),
  async run(context, { sort, f, filter, picks, ...asked }) {
    const { db, person, portal } = context;
    const unsealed = f ? unsealFilter(users, portal.secrets, person, f) : ((filter ?? standard) as UserFilter);
    const typed = unsealed ?? standard;
    const list = openList(users, portal.secrets, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, asked);
    const ids = rows.map(({ id }) => id);
    const clinics = await findClinicsOfUsers(db, person, ids);
    const roles = await findRolesOfUsers(db, ids);
    const mayMerge = can(person, "directory.merge");
    const picked = mayMerge && !asked.rowsOnly ? await findUsersToMerge(db, picksIn(picks)) : [];
    const mergedInto = await findKnownAs(
      db,
      "user",
      rows.flatMap((row) => row.merged_into_id ?? []),
    );
    const choices = asked.rowsOnly ? [] : await findClinicChoices(db, person);
    const open = asked.rowsOnly ? undefined : rows.find(({ id }) => id === asked.openId);
    return {
      ...page,
      sort: sortParam(list.sort),
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter: typed,
      active: activeFilters(users.filters, typed, { clinics: choices }).map((each) => ({
        ...each,
        without: sealFilter(users, portal.secrets, person, { ...typed, [each.key]: undefined }),
      })),
      clinics: choices,
      open: open
        ? {
            ...(await readUserOf(db, person, open.id)),
            merges: await readMergeHistory(context, "user", open.id),
            likelySame: mayMerge ? await findDuplicateUsers(db, open.id, staffRoles) : [],
          }
        : null,
      mayMerge,
      picks: picked.map(({ id }) => id),
      rows: rows.map((row) => {
        const own = clinics.flatMap(({ userId, id, name }) => (userId === row.id ? [{ id, name }] : []));
        const ownRoles = sortRoles(roles.flatMap(({ userId, role }) => (userId === row.id ? [role] : [])));
        const { isStaff } = kindOf(ownRoles);
        const user = { isStaff, isMerged: row.merged_into_id !== null, clinicIds: own.map(({ id }) => id) };
        return {
          id: row.id,
          name: fullName(row),
          userName: row.user_name,
          clinics: own,
          roles: ownRoles,
          status: row.status,
          /** Whom they were merged into, by user name. */
          mergedInto: row.merged_into_id === null ? null : (mergedInto.get(row.merged_into_id) ?? null),
          pick: mayMerge ? pickOf(row.id, user, picked) : null,
          createdAt: isoMoment(row.created_at),
          hasLeft: row.hasLeft ?? false,
        };
      }),
    };
  },
});

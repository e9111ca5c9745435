import { z } from "zod";
import { read } from "~/access/operation.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { ACTIVE } from "~/features/directory/activity";
import { type DirectoryChoice, findClinicChoices } from "~/features/directory/operations.server";
import { openList } from "~/lists/define-list.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { readPage } from "~/lists/read-page.server";
import { sortParam } from "~/lists/sort";
import { can } from "~/access/permissions";
import { picksIn } from "~/features/merging/merge-words";
import { findDuplicateUsers, findKnownAs } from "~/features/merging/store.server";
import { readMergeHistory } from "~/features/merging/operations.server";
import { fullName } from "~/text/names";
import { findClinicsOfUsers, findRolesOfUsers } from "./people-store.server";
import { readUserOf } from "./update-user.server";
import { kindOf, sortRoles, staffRoles } from "./role-names";
import { findUsersToMerge } from "./merge-user-store.server";
import { pickOf } from "./merge-picks";
import type { UserFilter } from "./user-columns";
import { users } from "./user-list.server";

const standard: UserFilter = { status: ACTIVE };
const noChoices: DirectoryChoice[] = [];

/** A page of users in scope, with the form of the open row. */
export const listUsers = read({
  name: "listUsers",
  permission: "directory.manage",
  input: z.object({
    ...listInput(users),
    /** Ids picked for a merge, `12.34`. */
    picks: z.string().nullish(),
  }),
  async run(context, { sort, picks, ...input }) {
    const { db, person, portal } = context;
    const { typed, shown } = requestedFilter(users, portal, person, input, standard);
    const list = openList(users, portal.secrets, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, input);
    const ids = rows.map(({ id }) => id);
    const mergedIds = rows.flatMap((row) => row.merged_into_id ?? []);
    const mayMerge = can(person, "directory.merge");
    const [clinics, roles, picked, mergedInto, choices] = await Promise.all([
      findClinicsOfUsers(db, person, ids),
      findRolesOfUsers(db, ids),
      mayMerge && !input.rowsOnly ? findUsersToMerge(db, picksIn(picks)) : [],
      findKnownAs(db, "user", mergedIds),
      input.rowsOnly ? noChoices : findClinicChoices(db, person),
    ]);
    const open = input.rowsOnly ? undefined : rows.find(({ id }) => id === input.openId);
    return {
      ...page,
      sort: sortParam(list.sort),
      ...shown({ clinics: choices }),
      clinics: choices,
      open: open
        ? {
            ...(await readUserOf(db, person, open.id)),
            canMail: isChannelSet(portal, "email"),
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
          /** User name of the merge's winner. */
          mergedInto: row.merged_into_id === null ? null : (mergedInto.get(row.merged_into_id) ?? null),
          pick: mayMerge ? pickOf(row.id, user, picked) : null,
          createdAt: row.created_at,
          hasLeft: row.hasLeft ?? false,
        };
      }),
    };
  },
});

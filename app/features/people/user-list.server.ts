import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { z } from "zod";
import type { Database } from "~db/schema";
import { seesClinic, userScope } from "~/access/directory-scope-store.server";
import { can } from "~/access/permissions";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import { ACTIVE, INACTIVE } from "~/features/directory/activity";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { defineList, tokenSearch } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter.server";
import { defineListPage } from "~/lists/list-page.server";
import { fullName } from "~/text/names";
import { pickOf } from "./merge-picks";
import { findUsersToMerge, findClinicsOfUsers, findRolesOfUsers } from "./people-store.server";
import { kindOf, sortRoles, staffRoles } from "./role-names";
import { userView } from "./user-list";
import { type DirectoryChoice, findClinicChoices } from "~/features/directory/operations.server";
import { picksIn, picksOf } from "~/features/merging/merge-words";
import { findDuplicateUsers, findKnownAs } from "~/features/merging/store.server";
import { readMergeHistory } from "~/features/merging/operations.server";
import { readUserOf } from "./update-user.server";
import { idsOf } from "~db/connection.server";

type OnUser = ExpressionBuilder<Database, "user">;

const search = tokenSearch({
  table: "userSearchToken",
  reference: "userId",
  index: "user_search_token_by_row",
  id: "user.id",
});

export const users = defineList({
  ...userView,
  rules: {
    status: {
      schema: activityStatus("Vælg fra listen."),
      where: (eb: OnUser, status: number) => eb("user.status", "=", status),
    },
    clinicId: {
      schema: filterValue.id,
      // Membership in clinics outside the actor's scope is not revealed.
      where: (eb: OnUser, clinic: number, { actor }) => (seesClinic(actor, clinic) ? isMember(eb, clinic) : eb.or([])),
    },
    search: {
      schema: filterValue.words("Skriv noget med bogstaver eller tal."),
      where: (_eb: OnUser, text: string, { nameMatch }) => search.where(text, nameMatch),
    },
    onlyEmptyDentistId: {
      schema: filterValue.box,
      where: (eb: OnUser) => eb.and([eb("user.dentistExternalId", "is", null), isReferrer(eb)]),
    },
  },
  sortBy: { 0: "user.userNameNorm", 1: "user.createdAt" },
  idColumn: "user.id",
  scope: (db, actor) => db.selectFrom("user").where(userScope(actor)),
  select: (rows) =>
    rows.select([
      "user.id",
      "user.userName",
      "user.firstName",
      "user.lastName",
      "user.status",
      "user.createdAt",
      "user.mergedIntoId",
    ]),
  indexedWithin: {
    column: "user.status",
    sortKeys: [0, 1],
    values: ({ status }) => (status === undefined ? [ACTIVE, INACTIVE] : [status]),
  },
  nameSearch: { textOf: (filter) => filter.search, findMatch: search.findMatch },
});

const isMember = (eb: OnUser, clinic: number): Expression<SqlBool> =>
  eb(
    "user.id",
    "in",
    eb.selectFrom("userClinic").select("userClinic.userId").where("userClinic.clinicId", "=", clinic),
  );

const isReferrer = (eb: OnUser): Expression<SqlBool> =>
  eb.not(
    eb.exists(
      eb
        .selectFrom("userRole")
        .select("userRole.role")
        .whereRef("userRole.userId", "=", "user.id")
        .where("userRole.role", "in", staffRoles),
    ),
  );

const noChoices: DirectoryChoice[] = [];

/** GET /Users. Without a filter only active users. */
export const { read: listUsers, lookUp: filterUsers } = defineListPage({
  list: users,
  view: userView,
  name: "listUsers",
  permission: "directory.manage",
  input: {
    /** Ids picked for a merge, `12.34`. */
    picks: z.string().nullish(),
  },
  standard: () => ({ status: ACTIVE }),
  keeps: picksOf,
  async show(context, { rows, input: { picks, ...input } }) {
    const { db, person, portal } = context;
    const ids = idsOf(rows);
    const mergedIds = rows.flatMap((row) => row.mergedIntoId ?? []);
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
      names: { clinics: choices },
      clinics: choices,
      open: open
        ? {
            ...(await readUserOf(db, portal, person, open.id)),
            canMail: isChannelSet(portal, "email"),
            merges: await readMergeHistory(context, "user", open.id),
            likelySame: mayMerge ? await findDuplicateUsers(db, open.id, staffRoles) : [],
          }
        : null,
      mayMerge,
      picks: idsOf(picked),
      rows: rows.map((row) => {
        const own = clinics.flatMap(({ userId, id, name }) => (userId === row.id ? [{ id, name }] : []));
        const ownRoles = sortRoles(roles.flatMap(({ userId, role }) => (userId === row.id ? [role] : [])));
        const { isStaff } = kindOf(ownRoles);
        const user = { isStaff, isMerged: row.mergedIntoId !== null, clinicIds: idsOf(own) };
        return {
          id: row.id,
          name: fullName(row),
          userName: row.userName,
          clinics: own,
          roles: ownRoles,
          status: row.status,
          mergedInto: row.mergedIntoId === null ? null : (mergedInto.get(row.mergedIntoId) ?? null),
          pick: mayMerge ? pickOf(row.id, user, picked) : null,
          createdAt: row.createdAt,
          hasLeft: row.hasLeft ?? false,
        };
      }),
    };
  },
});

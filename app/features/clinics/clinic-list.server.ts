import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { Database } from "~db/schema";
import { clinicScope } from "~/access/directory-scope-store.server";
import { can } from "~/access/permissions";
import { ACTIVE, INACTIVE } from "~/features/directory/activity";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { defineList, tokenSearch } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter.server";
import { defineListPage } from "~/lists/list-page.server";
import { fullName } from "~/text/names";
import { clinicView } from "./clinic-list";
import { countMembers, findClinicsToMerge, findMembers } from "./store.server";
import { MAX_SELECTED, picksIn, picksOf } from "~/features/merging/merge-words";
import { findDuplicateClinics, findKnownAs } from "~/features/merging/store.server";
import { readMergeHistory } from "~/features/merging/operations.server";
import { idsOf } from "~db/connection.server";

type OnClinic = ExpressionBuilder<Database, "clinic">;

const search = tokenSearch({
  table: "clinicSearchToken",
  reference: "clinicId",
  index: "clinic_search_token_by_row",
  id: "clinic.id",
});

export const clinics = defineList({
  ...clinicView,
  rules: {
    status: {
      schema: activityStatus("Vælg fra listen."),
      where: (eb: OnClinic, status: number) => eb("clinic.status", "=", status),
    },
    search: {
      schema: filterValue.words("Skriv noget med bogstaver eller tal."),
      where: (_eb: OnClinic, text: string, { nameMatch }) => search.where(text, nameMatch),
    },
  },
  sortBy: { 0: "clinic.modifiedAt" },
  idColumn: "clinic.id",
  scope: (db, actor) => db.selectFrom("clinic").where(clinicScope(actor)),
  select: (rows) =>
    rows.select([
      "clinic.id",
      "clinic.version",
      "clinic.name",
      "clinic.address",
      "clinic.zip",
      "clinic.city",
      "clinic.phone",
      "clinic.mobilePhone",
      "clinic.email",
      "clinic.status",
      "clinic.mergedIntoId",
    ]),
  // Each status has its own index order.
  indexedWithin: {
    column: "clinic.status",
    sortKeys: [0],
    values: ({ status }) => (status === undefined ? [ACTIVE, INACTIVE] : [status]),
  },
  nameSearch: { textOf: (filter) => filter.search, findMatch: search.findMatch },
});

const MAX_MEMBERS_SHOWN = 200;

/** A page of clinics with the open row's first 200 members; the API gets all members of every row. */
export const { read: listClinicsPage, lookUp: filterClinics } = defineListPage({
  list: clinics,
  view: clinicView,
  name: "listClinicsPage",
  permission: "directory.manage",
  input: {
    /** Ids picked for a merge, `12.34`. */
    picks: z.string().nullish(),
  },
  standard: () => ({ status: ACTIVE }),
  keeps: picksOf,
  async show(context, { rows, input: { picks, ...input } }) {
    const { db, person } = context;
    const ids = idsOf(rows);
    const counts = await countMembers(db, ids);
    const openId = ids.find((id) => id === input.openId) ?? null;
    const members = input.rowsOnly
      ? await findMembers(db, ids)
      : await findMembers(db, openId === null ? [] : [openId], { limit: MAX_MEMBERS_SHOWN });
    const mayMerge = can(person, "directory.merge");
    const picked = mayMerge ? idsOf(await findClinicsToMerge(db, picksIn(picks))) : [];
    const mergedInto = await findKnownAs(
      db,
      "clinic",
      rows.flatMap((row) => row.mergedIntoId ?? []),
    );
    const pickOf = (row: { id: number; mergedIntoId: number | null }) => {
      if (picked.includes(row.id)) return "picked" as const;
      return mayMerge && row.mergedIntoId === null && picked.length < MAX_SELECTED ? ("possible" as const) : null;
    };
    return {
      mayManageAll: can(person, "directory.manageAll"),
      openId,
      merges: openId === null ? null : await readMergeHistory(context, "clinic", openId),
      likelySame: mayMerge && openId !== null ? await findDuplicateClinics(db, openId) : [],
      mayMerge,
      picks: picked,
      rows: rows.map((row) => ({
        id: row.id,
        version: row.version,
        name: row.name,
        address: row.address,
        zip: row.zip,
        city: row.city,
        phone: row.phone,
        mobilePhone: row.mobilePhone,
        email: row.email,
        status: row.status,
        mergedInto: row.mergedIntoId === null ? null : (mergedInto.get(row.mergedIntoId) ?? null),
        pick: pickOf(row),
        memberCount: counts.get(row.id) ?? 0,
        members: members.flatMap((member) =>
          member.clinicId === row.id
            ? [{ id: member.id, name: fullName(member), isActive: member.status === ACTIVE }]
            : [],
        ),
        hasLeft: row.hasLeft ?? false,
      })),
    };
  },
});

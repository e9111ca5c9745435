import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { ACTIVE } from "~/features/directory/activity";
import { openList } from "~/lists/define-list.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { readPage } from "~/lists/read-page.server";
import { sortParam } from "~/lists/sort";
import { MAX_SELECTED, picksIn } from "~/features/merging/merge-words";
import { findDuplicateClinics, findKnownAs } from "~/features/merging/store.server";
import { readMergeHistory } from "~/features/merging/operations.server";
import { fullName } from "~/text/names";
import type { ClinicFilter } from "./clinic-columns";
import { clinics } from "./clinic-list.server";
import { countMembers, findClinicsToMerge, findMembers } from "./store.server";

const standard: ClinicFilter = { status: ACTIVE };

/** A page of clinics with the open row's members; the API gets the members of all. */
export const listClinicsPage = read({
  name: "listClinicsPage",
  permission: "directory.manage",
  input: z.object({
    ...listInput(clinics),
    /** Ids picked for a merge, `12.34`. */
    picks: z.string().nullish(),
  }),
  async run(context, { sort, picks, ...input }) {
    const { db, person, portal } = context;
    const { typed, shown } = requestedFilter(clinics, portal, person, input, standard);
    const list = openList(clinics, portal.secrets, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, input);
    const ids = rows.map(({ id }) => id);
    const counts = await countMembers(db, ids);
    const openId = ids.find((id) => id === input.openId) ?? null;
    const members = await findMembers(db, input.rowsOnly ? ids : openId === null ? [] : [openId]);
    const mayMerge = can(person, "directory.merge");
    const picked = mayMerge ? (await findClinicsToMerge(db, picksIn(picks))).map(({ id }) => id) : [];
    const mergedInto = await findKnownAs(
      db,
      "clinic",
      rows.flatMap((row) => row.merged_into_id ?? []),
    );
    const pickOf = (row: { id: number; merged_into_id: number | null }) => {
      if (picked.includes(row.id)) return "picked" as const;
      return mayMerge && row.merged_into_id === null && picked.length < MAX_SELECTED ? ("possible" as const) : null;
    };
    return {
      ...page,
      sort: sortParam(list.sort),
      ...shown(),
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
        mobilePhone: row.mobile_phone,
        email: row.email,
        status: row.status,
        mergedInto: row.merged_into_id === null ? null : (mergedInto.get(row.merged_into_id) ?? null),
        pick: pickOf(row),
        memberCount: counts.get(row.id) ?? 0,
        members: members.flatMap((member) =>
          member.clinic_id === row.id
            ? [{ id: member.id, name: fullName(member), isActive: member.status === ACTIVE }]
            : [],
        ),
        hasLeft: row.hasLeft ?? false,
      })),
    };
  },
});

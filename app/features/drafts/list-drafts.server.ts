import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferrersByIds, referrerChoices } from "~/features/directory/find-referrers.server";
import { awaitedFilesOf } from "~/features/referrals/sending/read-awaiting.server";
import { isoMoment } from "~/text/dates";
import { countUnfinishedOf } from "~/files/staging/partial-upload-store.server";
import { fullName } from "~/text/names";
import { openList } from "~/lists/define-list.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { readPage } from "~/lists/read-page.server";
import { sortParam } from "~/lists/sort";
import { drafts } from "./draft-list.server";
import { findDraftReferrerIds, isThere } from "./draft-store.server";

/** A page of drafts in scope, with referrers to filter by. */
export const listDrafts = read({
  name: "listDrafts",
  permission: "referral.write",
  input: z.object({
    ...listInput(drafts),
    deleted: z.coerce.number().int().positive().nullish().catch(null),
  }),
  async run({ db, person, portal, auditRead }, { sort, deleted, ...input }) {
    const { typed, shown } = requestedFilter(drafts, portal, person, input);
    const list = openList(drafts, portal.secrets, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, input);
    const ids = rows.map((row) => row.id);
    auditRead(ids);
    const awaited = await awaitedFilesOf(db, ids);
    const unfinished = await countUnfinishedOf(db, person.id, ids);
    const mayFilter = can(person, "referral.chooseReferrer") && !input.rowsOnly;
    const referrers = referrerChoices(
      mayFilter ? await findReferrersByIds(db, await findDraftReferrerIds(db, person)) : [],
    );
    return {
      ...page,
      sort: sortParam(list.sort),
      ...shown({ referrers }),
      /** Null once restored. */
      deleted: deleted && !(await isThere(db, person, deleted)) ? deleted : null,
      referrers: mayFilter ? referrers : null,
      rows: rows.map((row) => ({
        id: row.id,
        cpr: sealedCpr.open(portal.secrets, row),
        name: fullName(row),
        createdAt: isoMoment(row.create_date),
        modifiedAt: isoMoment(row.modified_at),
        modifierName:
          row.modifier_first_name === null
            ? null
            : fullName({ first_name: row.modifier_first_name, last_name: row.modifier_last_name ?? "" }),
        /** Files it waits for before it is sent; null if it does not wait. */
        awaitedFiles: awaited.get(row.id) ?? null,
        unfinishedFiles: unfinished.get(row.id) ?? 0,
      })),
    };
  },
});

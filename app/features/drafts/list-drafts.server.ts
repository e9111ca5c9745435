import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferrersByIds, referrerLabel } from "~/features/directory/find-referrers.server";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { openList } from "~/lists/define-list.server";
import { filterFields } from "~/lists/filter-rules.server";
import { activeFilters } from "~/lists/filters";
import { pageByNumber, readPage } from "~/lists/read-page.server";
import { sealFilter, unsealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import type { DraftFilter } from "./draft-columns";
import { drafts } from "./draft-list.server";
import { findDraftReferrerIds } from "./draft-store.server";

/** A page of the drafts in the actor's scope, with the referrers to filter by for who may choose among them. */
export const listDrafts = read({
  name: "listDrafts",
  permission: "referral.write",
  input: z.object({
    sort: z.string().nullish(),
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
    cursor: z.string().max(2000).nullish(),
    f: z.string().nullish(),
    /** The filter as it is, for a caller whose address nobody else reads; what a role may not filter by is left out. */
    filter: z.object(filterFields(drafts.rules, (schema) => schema.optional())).optional(),
    ...pageByNumber,
  }),
  async run({ db, person, portal, auditRead }, { sort, f, filter, ...asked }) {
    const unsealed = f ? unsealFilter(drafts, portal.secrets, person, f) : ((filter ?? {}) as DraftFilter);
    const list = openList(drafts, portal.secrets, person, unsealed ?? {}, sort);
    const { rows, ...page } = await readPage(portal, person, list, asked);
    auditRead(rows.map((row) => row.id));
    const mayFilter = can(person, "referral.chooseReferrer") && !asked.rowsOnly;
    const referrers = (mayFilter ? await findReferrersByIds(db, await findDraftReferrerIds(db, person)) : []).map(
      (referrer) => ({ value: referrer.id, label: referrerLabel(referrer) }),
    );
    return {
      ...page,
      sort: sortParam(list.sort),
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter: list.filter,
      active: activeFilters(drafts.filters, list.filter, { referrers }).map((each) => ({
        ...each,
        // The address of the same list without this one filter.
        without: sealFilter(drafts, portal.secrets, person, { ...list.filter, [each.key]: undefined }),
      })),
      /** Null for who may not choose among them. */
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
      })),
    };
  },
});

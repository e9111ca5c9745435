import { z } from "zod";
import { read } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { openList } from "~/lists/define-list.server";
import { filterFields } from "~/lists/filter-rules.server";
import { countRows, findRows } from "~/lists/rows.server";
import { sortParam } from "~/lists/sort";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { defaultDraftSort, draftColumns, type DraftFilter } from "./draft-columns";
import { drafts } from "./draft-list.server";

const isColumn = (key: number) => draftColumns.some((column) => column.key === key);

/** A page of the drafts in the actor's scope with plain values (GET /Drafts). */
export const pageDrafts = read({
  name: "pageDrafts",
  permission: "referral.write",
  input: z.object({
    page: z.number().int().min(1).max(100_000).default(1),
    pageSize: z.number().int().min(1).max(1000).default(20),
    orderBy: z.number().int().refine(isColumn, "Ukendt kolonne.").default(defaultDraftSort.key),
    ascending: z.boolean().default(defaultDraftSort.ascending),
    /** What a role may not filter by is left out. */
    filter: z.object(filterFields(drafts.rules, (schema) => schema.optional())).optional(),
  }),
  async run({ db, person, portal, saw }, { page, pageSize, orderBy, ascending, filter }) {
    const list = openList(
      drafts,
      portal.secrets,
      person,
      (filter ?? {}) as DraftFilter,
      sortParam({ key: orderBy, ascending }),
    );
    const total = await countRows(db, list);
    // A page beyond the last shows the last one.
    const shown = Math.min(page, Math.max(1, Math.ceil(total / pageSize)));
    const rows = await findRows(db, list, {
      cursor: null,
      direction: "forward",
      skip: (shown - 1) * pageSize,
      take: pageSize,
    });
    saw(rows.map((row) => row.id));
    return {
      totalEntities: total,
      drafts: rows.map((row) => ({
        id: row.id,
        patientCPR: sealedCpr.open(portal.secrets, row),
        patientFullName: fullName(row),
        createDate: isoMoment(row.create_date),
        modifyDate: isoMoment(row.modified_at),
        modifierFullName:
          row.modifier_first_name === null
            ? null
            : fullName({ first_name: row.modifier_first_name, last_name: row.modifier_last_name ?? "" }),
      })),
    };
  },
});

import { z } from "zod";
import { read } from "~/access/operation.server";
import { filterFields } from "~/features/referrals/filter-sql.server";
import type { OverviewFilter } from "~/features/referrals/filters";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { draftFilterOf } from "./draft-filter";
import { defaultDraftSort, draftColumns, type DraftSort } from "./draft-sort";
import { findDrafts } from "./draft-store.server";

const isColumn = (key: number) => draftColumns.some((column) => column.key === key);

/** A page of the drafts in the actor's scope with plain values (specification 2 §3, §7 GET /Drafts). */
export const pageDrafts = read({
  name: "pageDrafts",
  permission: "referral.write",
  input: z.object({
    page: z.number().int().min(1).max(100_000).default(1),
    pageSize: z.number().int().min(1).max(1000).default(20),
    orderBy: z.number().int().refine(isColumn, "Ukendt kolonne.").default(defaultDraftSort.key),
    ascending: z.boolean().default(defaultDraftSort.ascending),
    /** What a role may not filter by is left out. */
    filter: z.object(filterFields((schema) => schema.optional())).optional(),
  }),
  async run({ db, person, portal, saw }, { page, pageSize, orderBy, ascending, filter }) {
    const sort = { key: orderBy as DraftSort["key"], ascending };
    const { total, rows } = await findDrafts({ db, secrets: portal.secrets }, person, { filter: draftFilterOf((filter ?? {}) as OverviewFilter), sort, page, pageSize });
    saw(rows.map((row) => row.id));
    return {
      totalEntities: total,
      drafts: rows.map((row) => ({
        id: row.id,
        patientCPR: portal.secrets.decrypt("cpr", row.cpr_encrypted ?? ""),
        patientFullName: fullName(row),
        createDate: isoMoment(row.create_date),
        modifyDate: isoMoment(row.modified_at),
        modifierFullName: row.modifier_first_name === null ? null : fullName({ first_name: row.modifier_first_name, last_name: row.modifier_last_name ?? "" }),
      })),
    };
  },
});

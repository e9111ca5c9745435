import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
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
    referrerId: z.number().int().optional(),
  }),
  async run({ db, person, portal, saw }, { page, pageSize, orderBy, ascending, referrerId }) {
    const mayFilter = can(person, "referral.chooseReferrer");
    const { total, rows } = await findDrafts(db, person, { sort: { key: orderBy as DraftSort["key"], ascending }, page, pageSize, referrerId: mayFilter ? (referrerId ?? null) : null });
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

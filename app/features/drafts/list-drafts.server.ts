import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findReferrersByIds, referrerLabel } from "~/features/directory/find-referrers.server";
import { showDateTime } from "~/text/dates";
import { fullName } from "~/text/names";
import { parseSort, sortParam } from "~/features/referrals/list-sort";
import { defaultDraftSort, draftColumns } from "./draft-sort";
import { findDraftReferrerIds, findDrafts } from "./draft-store.server";

const PAGE_SIZE = 20;
const id = z.coerce.number().int().positive().nullish().catch(null);

/** The drafts in the actor's scope (specification 2 §2.3), with the referrers to filter by where he may choose among them. */
export const listDrafts = read({
  name: "listDrafts",
  permission: "referral.write",
  input: z.object({ sort: z.string().nullish(), page: z.coerce.number().int().min(1).max(100_000).catch(1), referrerId: id }),
  async run({ db, person, portal, saw }, { sort: sortText, page, referrerId }) {
    const sort = parseSort(sortText, draftColumns, defaultDraftSort);
    const mayFilter = can(person, "referral.chooseReferrer");
    const { total, page: shown, rows } = await findDrafts(db, person, { sort, page, pageSize: PAGE_SIZE, referrerId: mayFilter ? (referrerId ?? null) : null });
    saw(rows.map((row) => row.id));
    const referrers = mayFilter ? await findReferrersByIds(db, await findDraftReferrerIds(db, person)) : [];
    return {
      total,
      page: shown,
      pageCount: Math.max(1, Math.ceil(total / PAGE_SIZE)),
      sort: sortParam(sort),
      mayFilter,
      referrerId: mayFilter ? (referrerId ?? null) : null,
      referrers: referrers.map((referrer) => ({ value: referrer.id, label: referrerLabel(referrer) })),
      drafts: rows.map((row) => ({
        id: row.id,
        cpr: portal.secrets.decrypt("cpr", row.cpr_encrypted ?? "") ?? "–",
        name: fullName(row),
        createdAt: showDateTime(row.create_date),
        modifiedAt: showDateTime(row.modified_at),
        modifierName: row.modifier_first_name === null ? "..." : fullName({ first_name: row.modifier_first_name, last_name: row.modifier_last_name ?? "" }),
      })),
    };
  },
});

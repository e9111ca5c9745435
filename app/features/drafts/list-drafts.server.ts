import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findReferrersByIds, referrerLabel } from "~/features/directory/find-referrers.server";
import { showDateTime } from "~/text/dates";
import { fullName } from "~/text/names";
import { describeFilter, fieldsOf } from "~/features/referrals/describe-filter";
import { openFilter } from "~/features/referrals/filter-seal.server";
import { parseSort, sortParam } from "~/features/referrals/list-sort";
import { draftFilterOf } from "./draft-filter";
import { defaultDraftSort, draftColumns } from "./draft-sort";
import { findDraftReferrerIds, findDrafts } from "./draft-store.server";

const PAGE_SIZE = 20;

/** The drafts in the actor's scope (specification 2 §2.3), with the referrers to filter by where he may choose among them. */
export const listDrafts = read({
  name: "listDrafts",
  permission: "referral.write",
  input: z.object({ sort: z.string().nullish(), page: z.coerce.number().int().min(1).max(100_000).catch(1), f: z.string().nullish() }),
  async run({ db, person, portal, saw }, { sort: sortText, page, f }) {
    const sort = parseSort(sortText, draftColumns, defaultDraftSort);
    const opened = f ? openFilter(portal.secrets, person, f, "drafts") : {};
    const filter = draftFilterOf(opened ?? {});
    const { total, page: shown, rows } = await findDrafts({ db, secrets: portal.secrets }, person, { filter, sort, page, pageSize: PAGE_SIZE });
    saw(rows.map((row) => row.id));
    const mayFilter = can(person, "referral.chooseReferrer");
    const referrers = (mayFilter ? await findReferrersByIds(db, await findDraftReferrerIds(db, person)) : []).map((referrer) => ({ value: referrer.id, label: referrerLabel(referrer) }));
    const names = { referrers, clinics: [], surgeons: [], statuses: [], chosenReferrer: null };
    return {
      total,
      page: shown,
      pageCount: Math.max(1, Math.ceil(total / PAGE_SIZE)),
      sort: sortParam(sort),
      f: opened === null ? null : (f ?? null),
      wasReset: opened === null,
      fields: fieldsOf(filter),
      active: describeFilter(filter, [], names).map(({ text }) => text),
      /** Null for who may not choose among them. */
      referrers: mayFilter ? referrers : null,
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

import { subDays } from "date-fns";
import { z } from "zod";
import { change, lookUp, read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferrersByIds, referrerChoices } from "~/features/directory/find-referrers.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { awaitedFilesOf, withdrawSending } from "~/features/referrals/sending/operations.server";
import { countUnfinishedOf } from "~/files/staging/partial-upload-store.server";
import { openList } from "~/lists/define-list.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { readPage } from "~/lists/read-page.server";
import { sealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import { paths } from "~/paths";
import { fullName } from "~/text/names";
import type { DraftFilter } from "./draft-columns";
import { drafts } from "./draft-list.server";
import { findDraftReferrerIds, hideDraft, isThere, restoreDraftRow } from "./draft-store.server";

export const filterDrafts = lookUp({
  name: "filterDrafts",
  permission: "referral.write",
  input: filterForm(drafts.rules),
  async run({ portal, person }, { sort, ...typed }) {
    const filter = allowedFilter(drafts.filters, person, typed as DraftFilter);
    const query = new URLSearchParams({
      ...(Object.values(filter).some((value) => value !== undefined)
        ? { f: sealFilter(drafts, portal.secrets, person, filter) }
        : {}),
      ...(sort ? { sort } : {}),
    });
    return { to: `${paths.drafts}?${query.toString()}` };
  },
});

const oneDraft = z.object({ referralId: z.coerce.number().int() });

/** Removes a draft (DELETE /Drafts/{id}); the next page offers to bring it back. Throws `notInScope`. */
export const deleteDraft = change({
  name: "deleteDraft",
  permission: "referral.write",
  input: oneDraft,
  async run(context, { referralId }) {
    const id = await hideDraft(context.tx, context.actor, referralId, context.now);
    await withdrawSending(context, id);
    context.auditChange([referralId]);
    invalidateCounts(context);
    return { to: `${paths.drafts}?slettet=${referralId}` };
  },
});

/** 'Fortryd': brings a deleted draft back while its files are still there. Throws `notInScope`. */
export const restoreDraft = change({
  name: "restoreDraft",
  permission: "referral.write",
  idempotent: true,
  input: oneDraft,
  async run(context, { referralId }) {
    const { tx, actor, now, portal, auditChange } = context;
    await restoreDraftRow(tx, actor, referralId, subDays(now, portal.config.filePurgeDays));
    auditChange([referralId]);
    invalidateCounts(context);
    return {
      to: paths.drafts,
      flash: { tone: "success" as const, text: `Kladde nr. ${referralId} er hentet tilbage.` },
    };
  },
});

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
        createdAt: row.create_date,
        modifiedAt: row.modified_at,
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

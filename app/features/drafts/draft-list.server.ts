import { idsOf } from "~db/connection.server";
import { wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { draftScope } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferrersByIds, referrerChoices } from "~/features/directory/operations.server";
import { filterRules, type OnReferral } from "~/features/referrals/list/filter-sql.server";
import { awaitedFilesOf } from "~/features/referrals/sending/operations.server";
import { countUnfinishedOf } from "~/files/staging/partial-upload-store.server";
import { defineList } from "~/lists/define-list.server";
import { defineListPage } from "~/lists/list-page.server";
import { fullName, joinedName } from "~/text/names";
import { draftView } from "./draft-list";
import { findDraftReferrerIds, isThere, referrerOfDraft } from "./draft-store.server";

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId } = filterRules;

export const drafts = defineList({
  ...draftView,
  rules: {
    patientName,
    cpr,
    visitNumber,
    dateFrom,
    dateTo,
    referrerId: { ...referrerId, where: (eb: OnReferral, referrer: number) => eb(referrerOfDraft, "=", referrer) },
  },
  sortBy: {
    1: "referral.id",
    2: "referral.cpr6",
    3: "referral.name_sort",
    4: "referral.create_date",
    5: "referral.modified_at",
    6: "modifier.name_sort",
  },
  idColumn: "referral.id",
  scope: (db, actor) =>
    db
      .selectFrom("referral")
      .where(draftScope(actor))
      .leftJoin("user as modifier", "modifier.id", "referral.modifier_id"),
  select: (rows) =>
    rows.select([
      "referral.id",
      "referral.row_key",
      "referral.cpr_encrypted",
      "referral.first_name",
      "referral.last_name",
      "referral.create_date",
      "referral.modified_at",
      "referral.available_step",
      "modifier.first_name as modifier_first_name",
      "modifier.last_name as modifier_last_name",
    ]),
});

/** GET /Drafts. `deleted` is the draft that 'Fortryd' would restore. */
export const { read: listDrafts, lookUp: filterDrafts } = defineListPage({
  list: drafts,
  view: draftView,
  name: "listDrafts",
  permission: "referral.write",
  input: { deleted: wholeNumber.positive().nullish().catch(null) },
  async show({ db, person, portal, auditRead }, { rows, input: { deleted, rowsOnly } }) {
    const ids = idsOf(rows);
    auditRead(ids);
    const awaited = await awaitedFilesOf(db, ids);
    const unfinished = await countUnfinishedOf(db, person.id, ids);
    const mayFilter = can(person, "referral.chooseReferrer") && !rowsOnly;
    const referrers = referrerChoices(
      mayFilter ? await findReferrersByIds(db, await findDraftReferrerIds(db, person)) : [],
    );
    return {
      names: { referrers },
      deleted: deleted && !(await isThere(db, person, deleted)) ? deleted : null,
      referrers: mayFilter ? referrers : null,
      rows: rows.map((row) => ({
        id: row.id,
        cpr: sealedCpr.open(portal.secrets, row),
        name: fullName(row),
        createdAt: row.create_date,
        modifiedAt: row.modified_at,
        step: row.available_step,
        modifierName: joinedName(row.modifier_first_name, row.modifier_last_name),
        awaitedFiles: awaited.get(row.id) ?? null,
        unfinishedFiles: unfinished.get(row.id) ?? 0,
      })),
    };
  },
});

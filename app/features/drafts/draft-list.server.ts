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
    3: "referral.nameSort",
    4: "referral.createDate",
    5: "referral.modifiedAt",
    6: "modifier.nameSort",
  },
  idColumn: "referral.id",
  scope: (db, actor) =>
    db
      .selectFrom("referral")
      .where(draftScope(actor))
      .leftJoin("user as modifier", "modifier.id", "referral.modifierId"),
  select: (rows) =>
    rows.select([
      "referral.id",
      "referral.rowKey",
      "referral.cprEncrypted",
      "referral.firstName",
      "referral.lastName",
      "referral.createDate",
      "referral.modifiedAt",
      "referral.availableStep",
      "modifier.firstName as modifierFirstName",
      "modifier.lastName as modifierLastName",
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
        createdAt: row.createDate,
        modifiedAt: row.modifiedAt,
        step: row.availableStep,
        modifierName: joinedName(row.modifierFirstName, row.modifierLastName),
        awaitedFiles: awaited.get(row.id) ?? null,
        unfinishedFiles: unfinished.get(row.id) ?? 0,
      })),
    };
  },
});

import { isUrgent, triageMarks } from "~/features/referrals/model/triage";
import type { Person } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import { filterRules, nameSearch } from "~/features/referrals/list/filter-sql.server";
import { type Queue, readQueues } from "~/features/referrals/list/read-queues.server";
import { isNameOpen } from "~/features/referrals/model/name-question";
import { READY_FOR_CALL_UP, TRIAGED_URGENT } from "~/features/referrals/model/statuses";
import { cachedCriticalMedicines } from "~/features/referrals/model/critical-medicines.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { defineList, type RowOf } from "~/lists/define-list.server";
import { sealFilter } from "~/lists/filter.server";
import { defineListPage } from "~/lists/list-page.server";
import type { PageRow } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { fullName, joinedName } from "~/text/names";
import { callUpView } from "./call-up-list";
import { countWithdrawable, referralIds } from "./call-up-many.server";
import { callUpStatuses, defaultCallUpStatuses, PLANNED } from "./call-up-states";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { cavesOf } from "~/features/referrals/details/same-patient.server";
import { readOpenCallUp } from "./read-open-call-up.server";
import { readLetterCounts } from "~/features/letter-batches/read-letter-archive.server";
import { idsOf } from "~db/connection.server";

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId, statuses } = filterRules;

export const callUps = defineList({
  ...callUpView,
  rules: { patientName, cpr, visitNumber, referrerId, dateFrom, dateTo, statuses },
  sortBy: {
    1: "referral.id",
    2: "referral.cpr6",
    3: "referral.nameSort",
    4: "referral.createDate",
    6: "referral.status",
    7: "referral.callUpType",
    8: "referral.callUpDate",
    9: "referral.callUpStatus",
  },
  idColumn: "referral.id",
  scope: (db, actor) => db.selectFrom("referral").where(referralScope(actor)),
  select: (rows) =>
    rows
      .leftJoin("user as modifier", "modifier.id", "referral.modifierId")
      .select([
        "referral.id",
        "referral.version",
        "referral.externalId",
        "referral.rowKey",
        "referral.cprEncrypted",
        "referral.firstName",
        "referral.lastName",
        "referral.createDate",
        "referral.status",
        "referral.referenceType",
        "referral.triageUrgency",
        "referral.hasAnaesthesia",
        "referral.isTest",
        "referral.nameQuestion",
        "referral.patientId",
        "referral.allergies",
        "referral.medication",
        "referral.callUpType",
        "referral.callUpDate",
        "referral.callUpStatus",
        "referral.callUpComment",
        "referral.address",
        "referral.zip",
        "referral.city",
        "referral.email",
        "referral.phone",
        "referral.mobilePhone",
        "referral.patientWithoutEboks",
        "referral.treatmentTypeId",
        "referral.operationDate",
        "referral.operationHour",
        "referral.operationMinute",
        "referral.modifiedAt",
        "modifier.firstName as modifierFirstName",
        "modifier.lastName as modifierLastName",
      ]),
  // Most called-up referrals are closed, so an index over all of them would pass many rows first.
  indexedWithin: { column: "referral.status", sortKeys: [4, 7, 8, 9], values: ({ statuses: chosen }) => chosen ?? [] },
  statuses: { all: callUpStatuses.map(({ value }) => value), standard: () => defaultCallUpStatuses },
  nameSearch,
});

const statusOf: Partial<Record<Queue["kind"], number>> = {
  urgent: TRIAGED_URGENT,
  readyForCallUp: READY_FOR_CALL_UP,
};

async function readCallUpQueues(portal: Portal, person: Person, now: Date) {
  const queues = await readQueues(portal, person, now);
  return queues.flatMap(({ kind, count }) => {
    const status = statusOf[kind];
    return status === undefined
      ? []
      : [{ kind, count, f: sealFilter(callUps, portal.secrets, person, { statuses: [status] }) }];
  });
}

/** GET /Incall. `queued` are referrals that have just been called up, which 'Fortryd' may withdraw. */
export const { read: listCallUps, lookUp: filterCallUps } = defineListPage({
  list: callUps,
  view: callUpView,
  name: "listCallUps",
  permission: "patientMessage.send",
  input: { queued: referralIds.nullish().catch(null) },
  async show({ db, person, portal, now, auditRead }, { rows, filter: { referrerId: chosen }, list, input }) {
    const { queued, rowsOnly, openId } = input;
    const [{ status16Label }, medicines] = await Promise.all([
      cachedStatusSettings(portal),
      cachedCriticalMedicines(portal),
    ]);
    const cave = await cavesOf(db, person, rows, medicines);
    auditRead([...idsOf(rows), ...cave.sources]);
    const choices = rowsOnly ? null : await filterChoices(portal, person);
    const referrer =
      chosen && !choices?.referrers?.some(({ value }) => value === chosen)
        ? await chosenReferrer(portal, person, chosen)
        : null;
    const open = rowsOnly ? undefined : rows.find(({ id }) => id === openId);
    return {
      names: { ...choices, chosenReferrer: referrer },
      statuses: list.filter.statuses ?? [],
      referrers: choices?.referrers ?? null,
      chosenReferrer: referrer,
      status16Label,
      queues: rowsOnly ? [] : await readCallUpQueues(portal, person, now),
      failures: rowsOnly ? 0 : await countOpenFailures(portal, now),
      letters: rowsOnly ? null : await readLetterCounts(portal),
      queued: queued ? { ids: queued, withdrawable: await countWithdrawable(db, person, queued) } : null,
      open: open ? await readOpenCallUp(db, portal, await findReferral(db, person, open.id)) : null,
      rows: rows.map((row) => ({ ...showRow(portal, row), cave: cave.marks.get(row.id) ?? [] })),
    };
  },
});

function showRow({ secrets }: Pick<Portal, "secrets">, row: PageRow<RowOf<typeof callUps>>) {
  return {
    id: row.id,
    version: row.version,
    cpr: sealedCpr.open(secrets, row),
    name: fullName(row),
    ediId: row.externalId,
    createdAt: row.createDate,
    status: row.status,
    isUrgent: isUrgent(row),
    marks: triageMarks(row),
    isTest: row.isTest,
    hasOtherName: isNameOpen(row.nameQuestion),
    callUpType: row.callUpType,
    callUpAt: row.callUpDate,
    callUpStatus: row.callUpStatus,
    canRecall: row.callUpStatus !== PLANNED,
    address: row.address,
    zip: row.zip,
    city: row.city,
    email: row.email,
    phone: row.phone,
    mobilePhone: row.mobilePhone,
    isWithoutEboks: row.patientWithoutEboks,
    comment: row.callUpComment,
    treatmentTypeId: row.treatmentTypeId,
    operation:
      row.operationDate === null
        ? null
        : { date: row.operationDate, hour: row.operationHour, minute: row.operationMinute },
    modifiedAt: row.modifiedAt,
    modifierName: joinedName(row.modifierFirstName, row.modifierLastName),
    hasLeft: row.hasLeft ?? false,
  };
}

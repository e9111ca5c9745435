import { z } from "zod";
import type { Person } from "~/access/actor";
import { read } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { readLetterCounts } from "~/features/letter-batches/read-letter-archive.server";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import { type Queue, readQueues } from "~/features/referrals/list/read-queues.server";
import { READY_FOR_CALL_UP, TRIAGED_URGENT } from "~/features/referrals/model/status";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import type { RowOf } from "~/lists/define-list.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { type PageRow, readPage } from "~/lists/read-page.server";
import { sealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import type { Portal } from "~/portal.server";
import { fullName } from "~/text/names";
import { callUps, callUpsOf } from "./call-up-list.server";
import { countWithdrawable, referralIds } from "./call-up-many.server";
import { defaultCallUpStatuses, PLANNED } from "./call-up-states";
import { readOpenCallUp } from "./read-open-call-up.server";

const statusOf: Partial<Record<Queue["kind"], number>> = {
  urgent: TRIAGED_URGENT,
  readyForCallUp: READY_FOR_CALL_UP,
};

/** Counts of patients to call up, each with its filter. */
async function readCallUpQueues(portal: Portal, person: Person, now: Date) {
  const queues = await readQueues(portal, person, now);
  return queues.flatMap(({ kind, count }) => {
    const status = statusOf[kind];
    return status === undefined
      ? []
      : [{ kind, count, f: sealFilter(callUps, portal.secrets, person, { statuses: [status] }) }];
  });
}

export const listCallUps = read({
  name: "listCallUps",
  permission: "patientMessage.send",
  input: z.object({ ...listInput(callUps), queued: referralIds.nullish().catch(null) }),
  async run({ db, person, portal, now, auditRead }, { sort, queued, ...input }) {
    const { typed, shown } = requestedFilter(callUps, portal, person, input);
    const list = callUpsOf(portal, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, input);
    auditRead(rows.map(({ id }) => id));
    const choices = input.rowsOnly ? null : await filterChoices(portal, person);
    const referrer =
      typed.referrerId && !choices?.referrers?.some(({ value }) => value === typed.referrerId)
        ? await chosenReferrer(portal, person, typed.referrerId)
        : null;
    const open = input.rowsOnly ? undefined : rows.find(({ id }) => id === input.openId);
    return {
      ...page,
      sort: sortParam(list.sort),
      ...shown({ ...choices, chosenReferrer: referrer }, [...defaultCallUpStatuses]),
      statuses: list.filter.statuses ?? [],
      /** Null when there are too many for a select. */
      referrers: choices?.referrers ?? null,
      chosenReferrer: referrer,
      status16Label: (await cachedStatusSettings(portal)).status16Label,
      queues: input.rowsOnly ? [] : await readCallUpQueues(portal, person, now),
      failures: input.rowsOnly ? 0 : await countOpenFailures(portal, now),
      letters: input.rowsOnly ? null : await readLetterCounts(portal),
      queued: queued ? { ids: queued, withdrawable: await countWithdrawable(db, person, queued) } : null,
      open: open ? await readOpenCallUp(db, portal, person, open.id) : null,
      rows: rows.map((row) => showRow(portal, row)),
    };
  },
});

function showRow({ secrets }: Pick<Portal, "secrets">, row: PageRow<RowOf<typeof callUps>>) {
  return {
    id: row.id,
    version: row.version,
    cpr: sealedCpr.open(secrets, row),
    name: fullName(row),
    ediId: row.external_id,
    createdAt: row.create_date,
    status: row.status,
    referenceType: row.reference_type,
    isTest: row.is_test === 1,
    callUpType: row.call_up_type,
    callUpAt: row.call_up_date,
    callUpStatus: row.call_up_status,
    canRecall: row.call_up_status !== PLANNED,
    address: row.address,
    zip: row.zip,
    city: row.city,
    email: row.email,
    phone: row.phone,
    mobilePhone: row.mobile_phone,
    isWithoutEboks: row.patient_without_eboks === 1,
    comment: row.call_up_comment,
    treatmentTypeId: row.treatment_type_id,
    operation:
      row.operation_date === null
        ? null
        : { date: row.operation_date, hour: row.operation_hour, minute: row.operation_minute },
    modifiedAt: row.modified_at,
    modifierName:
      row.modifier_first_name === null
        ? null
        : fullName({ first_name: row.modifier_first_name, last_name: row.modifier_last_name ?? "" }),
    hasLeft: row.hasLeft ?? false,
  };
}

import { z } from "zod";
import type { Person } from "~/access/actor";
import { read } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferrals } from "~/features/referrals/store/referral-store.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import type { RowOf } from "~/lists/define-list.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { countList, readPage } from "~/lists/read-page.server";
import { sealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import type { Portal } from "~/portal.server";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { fullName } from "~/text/names";
import type { DbOrTx } from "~db/connection.server";
import { readThreads } from "./read-thread.server";
import type { SmsFilter } from "./sms-columns";
import { openSmsList, smsList } from "./sms-list.server";
import { countAnswers } from "./sms-thread-store.server";

/** Counting stops here: it is a queue's number, not a statistic. */
const MAX_COUNTED = 1000;

/** Queues of the page of SMS and tomorrow's answers (Copenhagen): counts with their filters. */
async function readSmsQueues(portal: Portal, person: Person, now: Date) {
  const today = localDate(now);
  const tomorrow = { dateFrom: addDays(today, 1), dateTo: addDays(today, 1) };
  const seal = (filter: SmsFilter) => sealFilter(smsList, portal.secrets, person, filter);
  const queue = async (filter: SmsFilter) => ({
    count: await countList(portal, person, openSmsList(portal, person, filter, null), MAX_COUNTED),
    f: seal(filter),
  });
  return {
    cancelledToday: await queue({ cancelledFrom: today }),
    possibly: { count: await countAnswers(portal.db, "possibly"), f: seal({ possiblyCancelled: true }) },
    unplaced: await countAnswers(portal.db, "unplaced"),
    unread: { count: await countAnswers(portal.db, "unread"), f: seal({ unread: true }) },
    confirmedTomorrow: await queue({ ...tomorrow, confirmed: true }),
    unansweredTomorrow: await queue({ ...tomorrow, unanswered: true }),
  };
}

export const listSms = read({
  name: "listSms",
  permission: "patientMessage.send",
  input: z.object({
    ...listInput(smsList),
    /** Includes each row's messages, for API clients. */
    withThreads: z.boolean().optional(),
  }),
  async run({ db, person, portal, now, auditRead }, { sort, withThreads, ...input }) {
    const today: SmsFilter = { dateFrom: localDate(now) };
    const { typed, shown } = requestedFilter(smsList, portal, person, input, today);
    const list = openSmsList(portal, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, input);
    auditRead(rows.map(({ id }) => id));
    const threads = withThreads ? await readThreadsOf(db, portal, person, rows) : null;
    return {
      ...page,
      sort: sortParam(list.sort),
      ...shown(),
      ...(await cachedStatusSettings(portal)),
      queues: input.rowsOnly ? null : await readSmsQueues(portal, person, now),
      rows: rows.map((row) => ({
        ...showSmsReferral(portal, row),
        hasLeft: row.hasLeft ?? false,
        messages: threads?.get(row.id) ?? null,
      })),
    };
  },
});

async function readThreadsOf(db: DbOrTx, portal: Portal, person: Person, rows: { id: number }[]) {
  const referrals = await findReferrals(
    db,
    person,
    rows.map(({ id }) => id),
  );
  return readThreads(
    db,
    portal,
    referrals.map(({ id }) => id),
  );
}

/** Data of a list row. */
export function showSmsReferral({ secrets }: Pick<Portal, "secrets">, row: RowOf<typeof smsList>) {
  return {
    id: row.id,
    cpr: sealedCpr.open(secrets, row),
    name: fullName(row),
    isTest: row.is_test === 1,
    status: row.status,
    operation:
      row.operation_date === null
        ? null
        : { date: row.operation_date, hour: row.operation_hour, minute: row.operation_minute },
    isConfirmed: row.confirmed_at !== null,
    cancelledAt: row.cancellation_date,
    messageCount: row.sms_count,
    hasCancellationMessage: row.has_cancellation_message === 1,
  };
}

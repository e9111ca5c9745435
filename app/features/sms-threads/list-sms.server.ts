import { z } from "zod";
import { read } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { findReferralsOf } from "~/features/referrals/details/messaged-referral.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import type { RowOf } from "~/lists/define-list.server";
import { filterFields } from "~/lists/filter-rules.server";
import { activeFilters } from "~/lists/filters";
import { pageByNumber, type PageRow, readPage } from "~/lists/read-page.server";
import { sealFilter, unsealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import type { Portal } from "~/portal.server";
import { isoMoment, localDate } from "~/text/dates";
import { fullName } from "~/text/names";
import { readMessagesOf, readThreadOf } from "./read-thread.server";
import type { SmsFilter } from "./sms-columns";
import { smsVisits, smsVisitsOf } from "./sms-list.server";
import { countAnswers } from "./sms-thread-store.server";

/** A page of those who have a time or a thread of SMS, with the thread of the row that is open and of what waits for a person. */
export const listSms = read({
  name: "listSms",
  permission: "patientMessage.send",
  input: z.object({
    sort: z.string().nullish(),
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
    cursor: z.string().max(2000).nullish().catch(null),
    f: z.string().nullish(),
    /** The row that is open: it stays where it stood, also when the filter lets it through no more. */
    openId: z.coerce.number().int().positive().nullish().catch(null),
    /** The filter as it is, for a caller whose address nobody else reads. */
    filter: z.object(filterFields(smsVisits.rules, (schema) => schema.optional())).optional(),
    /** Each row with its messages: for the API, whose client opens rows without asking again. */
    withThreads: z.boolean().optional(),
    ...pageByNumber,
  }),
  async run({ db, person, portal, now, auditRead }, { sort, f, filter, withThreads, ...asked }) {
    const today: SmsFilter = { dateFrom: localDate(now) };
    const unsealed = f ? unsealFilter(smsVisits, portal.secrets, person, f) : ((filter ?? today) as SmsFilter);
    const typed = unsealed ?? today;
    const list = smsVisitsOf(portal, person, typed, sort);
    const { rows, ...page } = await readPage(portal, person, list, asked);
    auditRead(rows.map(({ id }) => id));
    const open = asked.rowsOnly ? undefined : rows.find(({ id }) => id === asked.openId);
    const threads = new Map<number, Awaited<ReturnType<typeof readMessagesOf>>>();
    if (withThreads)
      for (const { id } of await findReferralsOf(
        db,
        person,
        rows.map((row) => row.id),
      ))
        threads.set(id, await readMessagesOf(db, portal, id));
    const seal = (some: SmsFilter) => sealFilter(smsVisits, portal.secrets, person, some);
    return {
      ...page,
      sort: sortParam(list.sort),
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter: typed,
      active: activeFilters(smsVisits.filters, typed).map((each) => ({
        ...each,
        without: seal({ ...typed, [each.key]: undefined }),
      })),
      ...(await cachedStatusSettings(portal)),
      queues: asked.rowsOnly
        ? null
        : {
            unplaced: await countAnswers(db, "unplaced"),
            possibly: { count: await countAnswers(db, "possibly"), f: seal({ possiblyCancelled: true }) },
            unread: { count: await countAnswers(db, "unread"), f: seal({ unread: true }) },
          },
      open: open ? await readThreadOf(db, portal, person, open.id, now) : null,
      rows: rows.map((row) => ({ ...showRow(portal, row), messages: threads.get(row.id) ?? null })),
    };
  },
});

function showRow({ secrets }: Pick<Portal, "secrets">, row: PageRow<RowOf<typeof smsVisits>>) {
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
    cancelledAt: row.cancellation_date === null ? null : isoMoment(row.cancellation_date),
    messageCount: row.sms_count,
    hasCancellationMessage: row.has_cancellation_message === 1,
    hasLeft: row.hasLeft ?? false,
  };
}

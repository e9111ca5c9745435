import type { Person } from "~/access/actor";
import { countList } from "~/lists/read-page.server";
import { sealFilter } from "~/lists/seal-filter.server";
import type { Portal } from "~/portal.server";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import type { SmsFilter } from "./sms-columns";
import { smsList, openSmsList } from "./sms-list.server";
import { countAnswers } from "./sms-thread-store.server";

/** Counting stops here: it is a queue's number, not a statistic. */
const MAX_COUNTED = 1000;

/** Queues of the page of SMS and tomorrow's answers (Copenhagen): counts with their filters. */
export async function readSmsQueues(portal: Portal, person: Person, now: Date) {
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

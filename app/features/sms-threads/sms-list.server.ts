import { z } from "zod";
import { type DbOrTx, idsOf } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { filterRules, nameSearch, type OnReferral } from "~/features/referrals/list/filter-sql.server";
import { WITHOUT_TIME } from "~/features/referrals/model/statuses";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { REMOVED_TEXT } from "~/features/maintenance/retention";
import { defineList, openList, type RowOf } from "~/lists/define-list.server";
import { filterValue, sealFilter } from "~/lists/filter.server";
import { defineListPage } from "~/lists/list-page.server";
import { countList } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { addDays } from "~/text/calendar";
import { startOfDay } from "~/text/copenhagen.server";
import { localDate } from "~/text/dates";
import { fullName } from "~/text/names";
import { readThreads } from "./read-thread.server";
import { ALARMING, POSSIBLY_CANCELLED, type SmsFilter, smsView } from "./sms-list";
import { countAlarmingAnswers, countAnswers } from "~/features/delivery/store.server";
import { findUndecided, readAnswer } from "./sms-thread-store.server";
import { findReferrals } from "~/features/referrals/store/referral-store.server";

const { patientName, visitNumber, cpr } = filterRules;
const { day, box } = filterValue;

/** Values of `referral.sms_list`: listed, and listed as cancelled. */
const LISTED = 1;
const CANCELLED = 2;

const orderOfDay = (text: string) => Number(text.replace(/-/g, "")) * 10_000;

const answeredIn = (eb: OnReferral, state: "possibly" | "unread") =>
  eb(
    "referral.id",
    "in",
    eb.selectFrom("incomingSms").select("incomingSms.referralId").where("incomingSms.state", "=", state),
  );

/** A time that somebody waits for: not closed, declined, cancelled or a test. */
const isToCome = (eb: OnReferral) =>
  eb.and([eb("referral.status", "not in", WITHOUT_TIME), eb("referral.isTest", "=", false)]);

export const smsList = defineList({
  ...smsView,
  rules: {
    patientName,
    dateFrom: {
      schema: day,
      where: (eb: OnReferral, from: string) => eb("referral.operationOrder", ">=", orderOfDay(from)),
    },
    dateTo: {
      schema: day,
      where: (eb: OnReferral, to: string) => eb("referral.operationOrder", "<", orderOfDay(addDays(to, 1))),
    },
    visitNumber,
    cpr,
    onlyCancelled: { schema: box, where: (eb: OnReferral) => eb("referral.smsList", "=", CANCELLED) },
    cancelledFrom: {
      schema: day,
      where: (eb: OnReferral, from: string) => eb("referral.cancellationDate", ">=", startOfDay(from)),
    },
    confirmed: {
      schema: box,
      where: (eb: OnReferral) => eb.and([eb("referral.confirmedAt", "is not", null), isToCome(eb)]),
    },
    unanswered: {
      schema: box,
      where: (eb: OnReferral) =>
        eb.and([eb("referral.confirmedAt", "is", null), eb("referral.smsList", "=", LISTED), isToCome(eb)]),
    },
    possiblyCancelled: { schema: box, where: (eb: OnReferral) => answeredIn(eb, "possibly") },
    unread: { schema: box, where: (eb: OnReferral) => answeredIn(eb, "unread") },
    alarming: {
      schema: box,
      where: (eb: OnReferral) =>
        eb(
          "referral.id",
          "in",
          eb
            .selectFrom("incomingSms")
            .select("incomingSms.referralId")
            .where("incomingSms.state", "in", ["possibly", "unread"])
            .where("incomingSms.hasAlarm", "=", true),
        ),
    },
  },
  encodePublic(filter) {
    const [only, ...others] = Object.entries(filter).flatMap(([name, value]) => (value ? [name] : []));
    if (others.length > 0) return null;
    return only === "possiblyCancelled" ? POSSIBLY_CANCELLED : only === "alarming" ? ALARMING : null;
  },
  decodePublic(text) {
    if (text === POSSIBLY_CANCELLED) return { possiblyCancelled: true };
    return text === ALARMING ? { alarming: true } : null;
  },
  sortBy: { 0: "referral.nameSort", 1: "referral.operationOrder", 2: "referral.cancellationDate" },
  idColumn: "referral.id",
  scope: (db, actor) =>
    db.selectFrom("referral").where(referralScope(actor)).where("referral.smsList", "in", [LISTED, CANCELLED]),
  select: (rows) =>
    rows.select([
      "referral.id",
      "referral.version",
      "referral.rowKey",
      "referral.cprEncrypted",
      "referral.firstName",
      "referral.lastName",
      "referral.status",
      "referral.isTest",
      "referral.operationDate",
      "referral.operationHour",
      "referral.operationMinute",
      "referral.cancellationDate",
      "referral.confirmedAt",
      "referral.smsCount",
      "referral.hasCancellationMessage",
    ]),
  // Most referrals have neither time nor thread, so each order has a partial index.
  indexedWithin: {
    column: "referral.smsList",
    sortKeys: [0, 1, 2],
    values: ({ onlyCancelled, cancelledFrom }) =>
      onlyCancelled || cancelledFrom !== undefined ? [CANCELLED] : [LISTED, CANCELLED],
  },
  nameSearch,
});

const MAX_COUNTED = 1000;

async function readSmsQueues(portal: Portal, person: Person, now: Date) {
  const today = localDate(now);
  const tomorrow = { dateFrom: addDays(today, 1), dateTo: addDays(today, 1) };
  const seal = (filter: SmsFilter) => sealFilter(smsList, portal.secrets, person, filter);
  const queue = async (filter: SmsFilter) => ({
    count: await countList(portal, person, openList(smsList, portal, person, filter, null), MAX_COUNTED),
    f: seal(filter),
  });
  return {
    alarming: { count: await countAlarmingAnswers(portal.db), f: ALARMING },
    cancelledToday: await queue({ cancelledFrom: today }),
    possibly: { count: await countAnswers(portal.db, "possibly"), f: POSSIBLY_CANCELLED },
    unplaced: await countAnswers(portal.db, "unplaced"),
    unread: { count: await countAnswers(portal.db, "unread"), f: seal({ unread: true }) },
    confirmedTomorrow: await queue({ ...tomorrow, confirmed: true }),
    unansweredTomorrow: await queue({ ...tomorrow, unanswered: true }),
  };
}

/** GET /SmsAppointments. Without a filter appointments from today (Copenhagen) on. */
export const { read: listSms, lookUp: filterSms } = defineListPage({
  list: smsList,
  view: smsView,
  name: "listSms",
  permission: "patientMessage.send",
  input: {
    withThreads: z.boolean().optional(),
  },
  standard: (now) => ({ dateFrom: localDate(now) }),
  async show({ db, person, portal, now, auditRead }, { rows, input: { withThreads, rowsOnly } }) {
    const ids = idsOf(rows);
    auditRead(ids);
    const undecided = rowsOnly || ids.length === 0 ? [] : await findUndecided(db, ids);
    const threads = withThreads ? await readThreadsOf(db, portal, person, rows) : null;
    return {
      ...(await cachedStatusSettings(portal)),
      today: localDate(now),
      queues: rowsOnly ? null : await readSmsQueues(portal, person, now),
      rows: rows.map((row) => ({
        ...showSmsReferral(portal, row),
        hasLeft: row.hasLeft ?? false,
        undecided: undecided.flatMap((answer) =>
          answer.referralId === row.id
            ? [{ id: answer.id, text: readAnswer(portal.secrets, answer)?.text ?? REMOVED_TEXT }]
            : [],
        ),
        messages: threads?.get(row.id) ?? null,
      })),
    };
  },
});

async function readThreadsOf(db: DbOrTx, portal: Portal, person: Person, rows: { id: number }[]) {
  const referrals = await findReferrals(db, person, idsOf(rows));
  return readThreads(db, portal, idsOf(referrals));
}

export function showSmsReferral({ secrets }: Pick<Portal, "secrets">, row: RowOf<typeof smsList>) {
  return {
    id: row.id,
    cpr: sealedCpr.open(secrets, row),
    name: fullName(row),
    isTest: row.isTest,
    status: row.status,
    operation:
      row.operationDate === null
        ? null
        : { date: row.operationDate, hour: row.operationHour, minute: row.operationMinute },
    isConfirmed: row.confirmedAt !== null,
    cancelledAt: row.cancellationDate,
    messageCount: row.smsCount,
    hasCancellationMessage: row.hasCancellationMessage,
  };
}

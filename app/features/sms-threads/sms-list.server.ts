import type { Person } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import { filterRules, nameSearch } from "~/features/referrals/list/filter-sql.server";
import { WITHOUT_TIME } from "~/features/referrals/model/status";
import { defineList, openList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import type { Portal } from "~/portal.server";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import type { OnReferral } from "~/features/referrals/list/filter-sql.server";
import { defaultSmsSort, smsColumns, type SmsFilter, smsFilters } from "./sms-columns";

const { patientName, visitNumber, cpr } = filterRules;
const { day, box } = filterValue;

/** Values of `referral.sms_list`: listed, and listed as cancelled. */
const LISTED = 1;
const CANCELLED = 2;

/** Start of a day in the format of `referral.operation_order`. */
const orderOfDay = (text: string) => Number(text.replace(/-/g, "")) * 10_000;

const answeredIn = (eb: OnReferral, state: "possibly" | "unread") =>
  eb(
    "referral.id",
    "in",
    eb.selectFrom("incoming_sms").select("incoming_sms.referral_id").where("incoming_sms.state", "=", state),
  );

/** A time that somebody waits for: not closed, declined, cancelled or a test. */
const isToCome = (eb: OnReferral) =>
  eb.and([eb("referral.status", "not in", WITHOUT_TIME), eb("referral.is_test", "=", 0)]);

/** Sent referrals with a time or an SMS. */
export const smsList = defineList({
  name: "smsVisits",
  filters: smsFilters,
  rules: {
    patientName,
    dateFrom: {
      schema: day,
      where: (eb: OnReferral, from: string) => eb("referral.operation_order", ">=", orderOfDay(from)),
    },
    dateTo: {
      schema: day,
      where: (eb: OnReferral, to: string) => eb("referral.operation_order", "<", orderOfDay(addDays(to, 1))),
    },
    visitNumber,
    cpr,
    onlyCancelled: { schema: box, where: (eb: OnReferral) => eb("referral.sms_list", "=", CANCELLED) },
    cancelledFrom: {
      schema: day,
      where: (eb: OnReferral, from: string) => eb("referral.cancellation_date", ">=", startOfDay(from)),
    },
    confirmed: {
      schema: box,
      where: (eb: OnReferral) => eb.and([eb("referral.confirmed_at", "is not", null), isToCome(eb)]),
    },
    unanswered: {
      schema: box,
      where: (eb: OnReferral) =>
        eb.and([eb("referral.confirmed_at", "is", null), eb("referral.sms_list", "=", LISTED), isToCome(eb)]),
    },
    possiblyCancelled: { schema: box, where: (eb: OnReferral) => answeredIn(eb, "possibly") },
    unread: { schema: box, where: (eb: OnReferral) => answeredIn(eb, "unread") },
  },
  columns: smsColumns,
  sortBy: { 0: "referral.name_sort", 1: "referral.operation_order", 2: "referral.cancellation_date" },
  defaultSort: defaultSmsSort,
  idColumn: "referral.id",
  scope: (db, actor) =>
    db.selectFrom("referral").where(referralScope(actor)).where("referral.sms_list", "in", [LISTED, CANCELLED]),
  select: (rows) =>
    rows.select([
      "referral.id",
      "referral.version",
      "referral.row_key",
      "referral.cpr_encrypted",
      "referral.first_name",
      "referral.last_name",
      "referral.status",
      "referral.is_test",
      "referral.operation_date",
      "referral.operation_hour",
      "referral.operation_minute",
      "referral.cancellation_date",
      "referral.confirmed_at",
      "referral.sms_count",
      "referral.has_cancellation_message",
    ]),
  // Most referrals have neither time nor thread, so each order has a partial index.
  splitBy: {
    column: "referral.sms_list",
    sortKeys: [0, 1, 2],
    values: ({ onlyCancelled, cancelledFrom }) =>
      onlyCancelled || cancelledFrom !== undefined ? [CANCELLED] : [LISTED, CANCELLED],
  },
  nameSearch,
});

export const openSmsList = (
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  filter: SmsFilter,
  sort: string | null | undefined,
) => openList(smsList, secrets, person, filter, sort);

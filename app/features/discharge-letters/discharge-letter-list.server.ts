import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import type { Database } from "~db/schema";
import type { Actor, Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { referralScope } from "~/access/scope.server";
import { filterRules, nameSearch, type OnReferral } from "~/features/referrals/list/filter-sql.server";
import { defineList, openList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import type { Portal } from "~/portal.server";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import {
  defaultDischargeSort,
  dischargeColumns,
  type DischargeFilter,
  dischargeFilters,
} from "./discharge-letter-columns";

const { patientName, cpr, visitNumber, referrerId, onlyEdi } = filterRules;
const { day, box } = filterValue;

/** Few letters wait for somebody, so their referrals are found by the outbox and letter indexes. */
const lettersOf = (eb: OnReferral) =>
  eb.selectFrom("discharge_letter as letter").where("letter.deleted_at", "is", null).select("letter.referral_id");

const sendings = (eb: OnReferral) =>
  lettersOf(eb)
    .innerJoin("outbox as sending", "sending.id", "letter.outbox_id")
    .where("sending.kind", "=", "dischargeLetter");

const ediSendings = (eb: OnReferral) =>
  lettersOf(eb).innerJoin("outbox as edi", "edi.id", "letter.edi_outbox_id").where("edi.channel", "=", "edi");

/** Leaves out letters whose mail arrived: their receipts are not awaited. */
const waitsForEdi = (eb: OnReferral) =>
  ediSendings(eb)
    .leftJoin("outbox as mail", "mail.id", "letter.outbox_id")
    .where("edi.outcome", "in", ["queued", "awaiting"])
    .where((on) => on.or([on("mail.outcome", "is", null), on("mail.outcome", "<>", "sent")]));

type Letters = SelectQueryBuilder<Database, never, { referral_id: number }>;

/** Unions the ids first: for an `or` MariaDB evaluates both subqueries per letter. */
const isAmong = (eb: OnReferral, letters: Letters, otherLetters: Letters) =>
  eb("referral.id", "in", eb.selectFrom(letters.unionAll(otherLetters).as("waiting")).select("waiting.referral_id"));

export const dischargeLetters = defineList({
  name: "dischargeLetters",
  filters: dischargeFilters,
  rules: {
    patientName,
    visitNumber,
    cpr,
    referrerId,
    dateFrom: { schema: day, where: (eb: OnReferral, from: string) => eb("discharge_sent_at", ">=", startOfDay(from)) },
    dateTo: {
      schema: day,
      where: (eb: OnReferral, to: string) => eb("discharge_sent_at", "<", startOfDay(addDays(to, 1))),
    },
    onlyEdi,
    onlyQueued: {
      schema: box,
      where: (eb: OnReferral) =>
        isAmong(
          eb,
          sendings(eb).where("sending.channel", "=", "email").where("sending.outcome", "=", "queued"),
          waitsForEdi(eb),
        ),
    },
    onlyFailed: {
      schema: box,
      where: (eb: OnReferral) =>
        isAmong(
          eb,
          sendings(eb).where("sending.outcome", "in", ["failed", "unknown"]).where("sending.handled_at", "is", null),
          ediSendings(eb).where("edi.outcome", "in", ["failed", "unknown"]).where("edi.handled_at", "is", null),
        ),
    },
    onlyWithoutPdf: {
      schema: box,
      where: (eb: OnReferral) => eb("referral.id", "in", lettersOf(eb).where("letter.diagnosis_file_id", "is", null)),
    },
  },
  columns: dischargeColumns,
  sortBy: {
    1: "referral.discharge_sent_at",
    2: "referral.id",
    3: "referral.cpr6",
    4: "referral.name_sort",
  },
  defaultSort: defaultDischargeSort,
  idColumn: "referral.id",
  scope: (db, actor) =>
    db
      .selectFrom("referral")
      .where("referral.has_discharge_letter", "=", 1)
      .where(referralScope(actor))
      .where(notHidden(actor)),
  select: (rows) =>
    rows
      .leftJoin("user as referrer", "referrer.id", "referral.referrer_id")
      .select([
        "referral.id",
        "referral.external_id",
        "referral.row_key",
        "referral.cpr_encrypted",
        "referral.first_name",
        "referral.last_name",
        "referral.is_test",
        "referral.reference_type",
        "referral.discharge_sent_at",
        "referral.declines_discharge_letter",
        "referrer.email as referrer_email",
      ]),
  nameSearch,
});

const notHidden = (actor: Actor) => (eb: ExpressionBuilder<Database, "referral">) =>
  can(actor, "dischargeLetter.manage") ? eb.and([]) : eb("referral.declines_discharge_letter", "=", 0);

export const dischargeLettersOf = (
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  filter: DischargeFilter,
  sort: string | null | undefined,
) => openList(dischargeLetters, secrets, person, filter, sort);

import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import type { Database } from "~db/schema";
import { withoutIndex } from "~db/without-index";
import type { Actor, Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { referralScope } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import { filterRules, nameSearch, type OnReferral } from "~/features/referrals/list/filter-sql.server";
import { defineList, openList, type RowOf } from "~/lists/define-list.server";
import { filterValue, sealFilter, onDays } from "~/lists/filter.server";
import { defineListPage } from "~/lists/list-page.server";
import { countList, type PageRow } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { fullName } from "~/text/names";
import { dischargeView } from "./discharge-letter-list";
import { lettersByReferral, readOpenLetters, type ShownLetter } from "./read-discharge-letters.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { idsOf } from "~db/connection.server";

const { patientName, cpr, visitNumber, referrerId, onlyEdi } = filterRules;
const { box } = filterValue;

/** Few letters wait for somebody, so their referrals are found by the outbox and letter indexes. */
const lettersOf = (eb: OnReferral) =>
  eb.selectFrom("dischargeLetter as letter").where("letter.deletedAt", "is", null).select("letter.referralId");

const sendings = (eb: OnReferral) =>
  lettersOf(eb)
    .innerJoin("outbox as sending", "sending.id", "letter.outboxId")
    .where("sending.kind", "=", "dischargeLetter");

const ediSendings = (eb: OnReferral) =>
  lettersOf(eb).innerJoin("outbox as edi", "edi.id", "letter.ediOutboxId").where("edi.channel", "=", "edi");

/** Leaves out letters whose mail arrived: their receipts are not awaited. */
const waitsForEdi = (eb: OnReferral) =>
  ediSendings(eb)
    .leftJoin("outbox as mail", "mail.id", "letter.outboxId")
    .where("edi.outcome", "in", ["queued", "awaiting"])
    .where((on) => on.or([on("mail.outcome", "is", null), on("mail.outcome", "<>", "sent")]));

type Letters = SelectQueryBuilder<Database, never, { referralId: number }>;

/** Unions the ids first: for an `or` MariaDB evaluates both subqueries per letter. */
const isAmong = (eb: OnReferral, letters: Letters, otherLetters: Letters) =>
  eb("referral.id", "in", eb.selectFrom(letters.unionAll(otherLetters).as("waiting")).select("waiting.referralId"));

export const dischargeLetters = defineList({
  ...dischargeView,
  rules: {
    patientName,
    visitNumber,
    cpr,
    referrerId,
    ...onDays("dischargeSentAt"),
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
          sendings(eb).where("sending.outcome", "in", ["failed", "unknown"]).where("sending.handledAt", "is", null),
          ediSendings(eb).where("edi.outcome", "in", ["failed", "unknown"]).where("edi.handledAt", "is", null),
        ),
    },
    onlyWithoutPdf: {
      schema: box,
      where: (eb: OnReferral) => eb("referral.id", "in", lettersOf(eb).where("letter.diagnosisFileId", "is", null)),
    },
  },
  sortBy: {
    1: "referral.dischargeSentAt",
    2: "referral.id",
    3: "referral.cpr6",
    4: "referral.nameSort",
  },
  idColumn: "referral.id",
  scope: (db, actor, strategy) =>
    db
      .selectFrom("referral")
      .where(
        strategy === "scan" ? withoutIndex<boolean>("referral.hasDischargeLetter") : "referral.hasDischargeLetter",
        "=",
        true,
      )
      .where(referralScope(actor))
      .where(notHidden(actor)),
  select: (rows) =>
    rows
      .leftJoin("user as referrer", "referrer.id", "referral.referrerId")
      .select([
        "referral.id",
        "referral.externalId",
        "referral.rowKey",
        "referral.cprEncrypted",
        "referral.firstName",
        "referral.lastName",
        "referral.isTest",
        "referral.referenceType",
        "referral.dischargeSentAt",
        "referral.declinesDischargeLetter",
        "referrer.email as referrerEmail",
      ]),
  nameSearch,
});

const notHidden = (actor: Actor) => (eb: ExpressionBuilder<Database, "referral">) =>
  can(actor, "dischargeLetter.manage") ? eb.and([]) : eb("referral.declinesDischargeLetter", "=", false);

/** GET /TerminationLetters. The dates filter by the Copenhagen day on which a letter was last sent. */
export const { read: listDischargeLetters, lookUp: filterDischargeLetters } = defineListPage({
  list: dischargeLetters,
  view: dischargeView,
  name: "listDischargeLetters",
  permission: "referral.read",
  async show({ db, person, portal, auditRead }, { rows, filter: { referrerId: chosen }, input }) {
    auditRead(idsOf(rows));
    const letters = await lettersByReferral(db, person, idsOf(rows));
    const choices = input.rowsOnly ? null : await filterChoices(portal, person);
    const referrer =
      chosen && !choices?.referrers?.some(({ value }) => value === chosen)
        ? await chosenReferrer(portal, person, chosen)
        : null;
    const open = input.rowsOnly ? undefined : rows.find(({ id }) => id === input.openId);
    const manages = can(person, "dischargeLetter.manage");
    return {
      names: { ...choices, chosenReferrer: referrer },
      referrers: choices?.referrers ?? null,
      chosenReferrer: referrer,
      work: manages && !input.rowsOnly ? await readWork(portal, person) : [],
      open: open ? await readOpenLetters(db, portal, person, await findReferral(db, person, open.id)) : null,
      rows: rows.map((row) => showRow(portal, row, letters.get(row.id) ?? [], manages)),
    };
  },
});

const workFilters = ["onlyQueued", "onlyFailed", "onlyWithoutPdf"] as const;

async function readWork(portal: Portal, person: Person) {
  const work = [];
  for (const key of workFilters) {
    const count = await countList(
      portal,
      person,
      openList(dischargeLetters, portal, person, { [key]: true }, null),
      1001,
    );
    if (count > 0) work.push({ key, count, f: sealFilter(dischargeLetters, portal.secrets, person, { [key]: true }) });
  }
  return work;
}

function showRow(
  { secrets }: Pick<Portal, "secrets">,
  row: PageRow<RowOf<typeof dischargeLetters>>,
  letters: ShownLetter[],
  manages: boolean,
) {
  return {
    id: row.id,
    cpr: sealedCpr.open(secrets, row),
    name: fullName(row),
    ediId: row.externalId,
    isTest: manages && row.isTest,
    sentAt: row.dischargeSentAt,
    referrerEmail: row.referrerEmail,
    letters,
    hasLeft: row.hasLeft ?? false,
  };
}

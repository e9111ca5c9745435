import type { ExpressionBuilder } from "kysely";
import type { Database } from "~db/schema";
import type { ResultOf } from "~/access/operation.server";
import type { Secrets } from "~/access/secrets.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { defineList } from "~/lists/define-list.server";
import { filterValue, onDays } from "~/lists/filter.server";
import { defineListPage } from "~/lists/list-page.server";
import { searchKey, joinedName } from "~/text/names";
import { accessView } from "./access-list";
import { findReferralsOfEvents, NAMED_REFERRALS } from "./store.server";
import { idsOf } from "~db/connection.server";

type OnEvent = ExpressionBuilder<Database, "auditEvent">;

const SIX_DIGITS = 6;

/** Events about a CPR number: of its referrals, and those that recorded the number itself. */
function eventsOfCpr(eb: OnEvent, secrets: Secrets, cpr: string) {
  const ofReferrals = eb
    .selectFrom("referral")
    .innerJoin("auditReferral", "auditReferral.referralId", "referral.id")
    .select("auditReferral.auditEventId as id");
  if (cpr.length === SIX_DIGITS) return ofReferrals.where("referral.cpr6", "=", cpr);
  const hashes = secrets.lookups("cpr", cpr);
  return ofReferrals
    .where("referral.cprHash", "in", hashes)
    .union(eb.selectFrom("auditEvent as named").select("named.id").where("named.cprHash", "in", hashes));
}

export const accesses = defineList({
  ...accessView,
  rules: {
    visitNumber: {
      schema: filterValue.number,
      where: (eb: OnEvent, visitNumber) =>
        eb(
          "auditEvent.id",
          "in",
          eb.selectFrom("auditReferral").select("auditEventId").where("referralId", "=", visitNumber),
        ),
    },
    cpr: {
      schema: filterValue.sixDigitsOrCpr,
      // A derived table: MariaDB would evaluate a union once per event.
      where: (eb: OnEvent, cpr, { secrets }) =>
        eb("auditEvent.id", "in", eb.selectFrom(eventsOfCpr(eb, secrets, cpr).as("hit")).select("hit.id")),
    },
    userName: {
      schema: filterValue.words("Skriv et brugernavn."),
      where: (eb: OnEvent, userName) =>
        eb(
          "auditEvent.actorId",
          "=",
          eb.selectFrom("user as wanted").select("wanted.id").where("wanted.userNameNorm", "=", searchKey(userName)),
        ),
    },
    ...onDays("auditEvent.at"),
  },
  sortBy: { 1: "auditEvent.at" },
  idColumn: "auditEvent.id",
  scope: (db) => db.selectFrom("auditEvent"),
  select: (rows) =>
    rows
      .leftJoin("user", "user.id", "auditEvent.actorId")
      .leftJoin("user as subject", "subject.id", "auditEvent.subjectUserId")
      .leftJoin("apiKey", "apiKey.id", "auditEvent.apiKeyId")
      .select([
        "auditEvent.id",
        "auditEvent.at",
        "auditEvent.actorKind",
        "auditEvent.role",
        "auditEvent.operation",
        "auditEvent.outcome",
        "user.firstName",
        "user.lastName",
        "user.userName",
        "subject.userName as subjectUserName",
        "subject.firstName as subjectFirstName",
        "subject.lastName as subjectLastName",
        "apiKey.name as keyName",
      ]),
});

export const { read: listAccess, lookUp: filterAccess } = defineListPage({
  list: accesses,
  view: accessView,
  name: "listAccess",
  permission: "audit.read",
  async show({ db, portal, now, concerns, auditRead }, { rows, filter }) {
    const named = await findReferralsOfEvents(db, idsOf(rows));
    if (filter.cpr?.includes("-")) concerns({ cpr: filter.cpr });
    // Audits the referral asked about, not those in the rows: otherwise reading the log would fill it.
    auditRead(filter.visitNumber === undefined ? [] : [filter.visitNumber], "access log");
    return {
      log: "access" as const,
      visitNumber: filter.visitNumber === undefined ? "" : String(filter.visitNumber),
      failures: await countOpenFailures(portal, now),
      rows: rows.map((row) => {
        const referrals = named.get(row.id) ?? [];
        // The event of a sign-in has no actor, since there was no session yet.
        const hasSignedIn = row.actorKind === "anonymous" && row.outcome === "done" && row.subjectUserName !== null;
        const [firstName, lastName, userName] = hasSignedIn
          ? [row.subjectFirstName, row.subjectLastName, row.subjectUserName]
          : [row.firstName, row.lastName, row.userName];
        return {
          id: row.id,
          at: row.at,
          actorKind: row.actorKind,
          role: row.role,
          keyName: row.keyName,
          name: joinedName(firstName, lastName),
          userName,
          operation: row.operation,
          subjectUserName: hasSignedIn ? null : row.subjectUserName,
          outcome: row.outcome,
          referrals: referrals.slice(0, NAMED_REFERRALS),
          hasMore: referrals.length > NAMED_REFERRALS,
        };
      }),
    };
  },
});

export type AccessPage = ResultOf<typeof listAccess>;

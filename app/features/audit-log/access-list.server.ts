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

type OnEvent = ExpressionBuilder<Database, "audit_event">;

const SIX_DIGITS = 6;

/** Events about a CPR number: of its referrals, and those that recorded the number itself. */
function eventsOfCpr(eb: OnEvent, secrets: Secrets, cpr: string) {
  const ofReferrals = eb
    .selectFrom("referral")
    .innerJoin("audit_referral", "audit_referral.referral_id", "referral.id")
    .select("audit_referral.audit_event_id as id");
  if (cpr.length === SIX_DIGITS) return ofReferrals.where("referral.cpr6", "=", cpr);
  const hashes = secrets.lookups("cpr", cpr);
  return ofReferrals
    .where("referral.cpr_hash", "in", hashes)
    .union(eb.selectFrom("audit_event as named").select("named.id").where("named.cpr_hash", "in", hashes));
}

export const accesses = defineList({
  ...accessView,
  rules: {
    visitNumber: {
      schema: filterValue.number,
      where: (eb: OnEvent, visitNumber) =>
        eb(
          "audit_event.id",
          "in",
          eb.selectFrom("audit_referral").select("audit_event_id").where("referral_id", "=", visitNumber),
        ),
    },
    cpr: {
      schema: filterValue.sixDigitsOrCpr,
      // A derived table: MariaDB would evaluate a union once per event.
      where: (eb: OnEvent, cpr, { secrets }) =>
        eb("audit_event.id", "in", eb.selectFrom(eventsOfCpr(eb, secrets, cpr).as("hit")).select("hit.id")),
    },
    userName: {
      schema: filterValue.words("Skriv et brugernavn."),
      where: (eb: OnEvent, userName) =>
        eb(
          "audit_event.actor_id",
          "=",
          eb.selectFrom("user as wanted").select("wanted.id").where("wanted.user_name_norm", "=", searchKey(userName)),
        ),
    },
    ...onDays("audit_event.at"),
  },
  sortBy: { 1: "audit_event.at" },
  idColumn: "audit_event.id",
  scope: (db) => db.selectFrom("audit_event"),
  select: (rows) =>
    rows
      .leftJoin("user", "user.id", "audit_event.actor_id")
      .leftJoin("user as subject", "subject.id", "audit_event.subject_user_id")
      .leftJoin("api_key", "api_key.id", "audit_event.api_key_id")
      .select([
        "audit_event.id",
        "audit_event.at",
        "audit_event.actor_kind",
        "audit_event.role",
        "audit_event.operation",
        "audit_event.outcome",
        "user.first_name",
        "user.last_name",
        "user.user_name",
        "subject.user_name as subject_user_name",
        "subject.first_name as subject_first_name",
        "subject.last_name as subject_last_name",
        "api_key.name as key_name",
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
        const hasSignedIn = row.actor_kind === "anonymous" && row.outcome === "done" && row.subject_user_name !== null;
        const [first_name, last_name, userName] = hasSignedIn
          ? [row.subject_first_name, row.subject_last_name, row.subject_user_name]
          : [row.first_name, row.last_name, row.user_name];
        return {
          id: row.id,
          at: row.at,
          actorKind: row.actor_kind,
          role: row.role,
          keyName: row.key_name,
          name: joinedName(first_name, last_name),
          userName,
          operation: row.operation,
          subjectUserName: hasSignedIn ? null : row.subject_user_name,
          outcome: row.outcome,
          referrals: referrals.slice(0, NAMED_REFERRALS),
          hasMore: referrals.length > NAMED_REFERRALS,
        };
      }),
    };
  },
});

export type AccessPage = ResultOf<typeof listAccess>;

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "~/access/permissions";
import type { Person } from "~/access/actor";
import { callUps } from "~/features/call-ups/call-up-list.server";
import { dischargeLetters } from "~/features/discharge-letters/discharge-letter-list.server";
import { drafts } from "~/features/drafts/draft-list.server";
import { findBookedByAnother } from "~/features/freed-times/store.server";
import { findDeletedDrafts } from "~/features/maintenance/store.server";
import type { OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { removeUnusedPatient } from "~/features/referrals/store/patient-store.server";
import { countByStatus } from "~/features/referrals/store/sent-items-store.server";
import { smsList } from "~/features/sms-threads/sms-list.server";
import { type List, openList } from "~/lists/define-list.server";
import { countRows, findIds } from "~/lists/rows.server";
import type { Db, Tx } from "~db/connection.server";
import { makeBulkDemoData } from "~/demo/bulk.server";
import { aPerson } from "./factories/people";
import { plansOf } from "./support/query-plans";
import { createTestPortal, type TestPortal } from "./support/test-portal";

const PAGE = { cursor: null, direction: "forward", skip: 0, take: 20 } as const;

let portal: TestPortal;
const people: Partial<Record<Role, Person>> = {};

beforeAll(async () => {
  portal = await createTestPortal("sqlite");
  await makeBulkDemoData(portal, ["--referrals", "60"]);
  const { id } = await portal.db.selectFrom("clinic").select("id").orderBy("id").executeTakeFirstOrThrow();
  for (const role of ["Admin", "Surgeon", "Secretary", "Dentist"] as const)
    people[role] = await aPerson(portal, { role, clinicIds: role === "Secretary" || role === "Dentist" ? [id] : [] });
});
afterAll(() => portal.close());

type Query = (db: Db) => Promise<unknown>;
const page =
  (list: () => List): Query =>
  (db) =>
    findIds(db, list(), PAGE);
const count =
  (list: () => List): Query =>
  (db) =>
    countRows(db, list());
const seen = (filter: OverviewFilter, sort: string, role: Role = "Admin") =>
  page(() => openList(overview, portal, people[role]!, filter, sort));
const calledUp = (sort: string) => page(() => openList(callUps, portal, people.Admin!, {}, sort));
const letters = (sort: string | null) => () => openList(dischargeLetters, portal, people.Admin!, {}, sort);
const sms = (sort: string | null) => () => openList(smsList, portal, people.Admin!, {}, sort);

/** The query that each index of `referral` is for. One without a query is dropped. */
const NEEDED: Record<string, Query> = {
  referral_by_date: seen({}, "5"),
  referral_by_status: seen({}, "7"),
  referral_list_by_status: count(() => openList(overview, portal, people.Admin!, {}, null)),
  referral_order_by_cpr6: seen({}, "2"),
  referral_order_by_name: seen({}, "3"),
  referral_order_by_birth: seen({}, "4"),
  referral_by_cpr: seen({ cpr: "010180-1234" }, "1"),
  referral_list_by_email: seen({ patientEmail: "a" }, "1"),
  referral_list_by_clinic: seen({ clinicId: 1 }, "5"),
  referral_list_by_clinic_number: seen({ clinicId: 1 }, "1"),
  referral_list_by_referrer: seen({ referrerId: 1 }, "1"),
  referral_list_by_creator: seen({}, "1", "Dentist"),
  referral_list_by_surgeon: seen({ surgeonId: 1 }, "5"),
  referral_list_by_unanswered: seen({ newMessages: true }, "1"),
  referral_list_by_unread: seen({ myNewMessages: true }, "5", "Surgeon"),
  referral_list_by_referrer_unread: seen({ newMessages: true }, "5", "Secretary"),
  referral_list_by_visit_type: seen({ onlyEdi: true }, "1"),
  referral_list_by_dentist_id: seen({ missingDentistId: true }, "1"),
  referral_list_by_test: seen({ onlyTest: true }, "1"),
  referral_by_status_since: seen({ inStatusSince: "2026-11-01", statuses: [3] }, "1"),
  referral_by_triage: seen({ statuses: [0] }, "8"),
  referral_by_surgeons_triage: seen({ surgeonId: 1 }, "1"),
  referral_by_hold: (db) => countByStatus(db, people.Admin!, [0, 3], "2026-11-28"),
  referral_on_hold: seen({ heldAfter: "2026-11-28" }, "1"),
  referral_by_tell_until: seen({ toTellOn: "2026-11-28" }, "1"),
  referral_by_next_date_status: seen({ silentOn: "2026-11-28", statuses: [...overview.statuses!.all] }, "9"),
  referral_by_change: page(() => openList(drafts, portal, people.Admin!, {}, "5")),
  referral_by_call_up_type: calledUp("7"),
  referral_by_call_up_date: calledUp("8"),
  referral_by_call_up_status: calledUp("9"),
  referral_by_letter: count(letters(null)),
  referral_by_letter_sent: page(letters("1")),
  referral_by_letter_cpr: page(letters("3")),
  referral_by_letter_name: page(letters("4")),
  referral_sms_by_id: count(sms(null)),
  referral_sms_by_name_sort: page(sms("0")),
  referral_sms_by_operation_order: page(sms("1")),
  referral_sms_by_cancellation_date: page(sms("2")),
  referral_by_operation_date: (db) =>
    findBookedByAnother(db, [{ referralId: 1, operationMoment: "2026-12-10 10:00", surgeonId: 4 }]),
  referral_by_deletion: (db) => findDeletedDrafts(db, new Date(), 10),
  referral_by_patient: (db) => removeUnusedPatient(db as Tx, 1),
};

test.each(Object.entries(NEEDED))("%s is what its query reads", async (index, query) => {
  const steps = (await plansOf(portal.db, query)).flatMap((plan) => plan.steps);
  expect(steps.filter((step) => step.includes(` ${index}`))).not.toEqual([]);
});

test("each index of a referral has its query", async () => {
  const { rows } = await sql<{ name: string }>`select name from pragma_index_list('referral')`.execute(portal.db);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(NEEDED).toSorted());
});

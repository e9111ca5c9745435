import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Person } from "~/access/actor";
import { receiveSmsEvent } from "~/features/delivery/receive-reports.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { listSms } from "~/features/sms-threads/sms-list.server";
import { placeAnswers } from "~/features/sms-threads/place-answer.server";
import { sendSmsWithCancellation } from "~/features/sms-threads/operations.server";
import { aReferral } from "../../factories/referrals";
import { portalWithPeople } from "./portal-with-people";
import type { Dialect, TestPortal } from "../test-portal";

export const SYSTEM = { kind: "system", job: "test" } as const;
export const caller = { actor: SYSTEM, site: "inside", address: "", sessionId: null } as const;
let events = 0;
let numbers = 10_000_000;

/** What `begun` is handed before each test. */
interface Begun {
  portal: TestPortal;
  admin: Person;
  dentist: Person;
  /** A patient's referral, with a time on 3 December of which a reminder was sent. */
  referralId: number;
  /** The patient's mobile phone, of eight digits. */
  number: string;
}

/** A portal with a new referral whose thread has one SMS, before each test of one file; what is answered here is about that referral. */
export function smsThreadsPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let number: string;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["outbox", "deliveryEvent", "incomingSms", "freedTime", "setting"] as const)
      await portal.db.deleteFrom(table).execute();
    nextNumber();
    referralId = await aPatient({ day: "03-12-2026" });
    begun({ portal, admin, dentist, referralId, number });
  });

  /** Patients and answers have a number of their own from now on. */
  const nextNumber = () => {
    number = String((numbers += 1));
  };
  const rowOf = (id = referralId) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  /** A patient in treatment with a time, whose reminder has been sent. */
  async function aPatient({ day, ...changes }: { day: string | null } & Record<string, unknown>) {
    const id = await aReferral(portal, dentist, { mobilePhone: number, firstName: "Nancy Ann", ...changes });
    if (day !== null)
      await portal.as(admin, editPlan, {
        referralId: id,
        seenVersion: (await rowOf(id)).version,
        operationDate: day,
        operationTimeHours: "10",
        operationTimeMinutes: "15",
      });
    const { statusVersion: version } = await rowOf(id);
    await portal.as(admin, setStatus, {
      referralId: id,
      status: 6,
      seenVersion: version,
      isDeleteAttachments: "false",
    });
    if (day !== null) await portal.as(admin, sendSmsWithCancellation, { referralId: id });
    await work();
    return id;
  }
  async function work() {
    while ((await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" })).data?.sent);
  }
  /** What the webhook records, and what the job then does about it. */
  async function answer(text: string, from = `+45${number}`, eventId = `event-${(events += 1)}`) {
    portal.clock.advance({ minutes: 1 });
    await portal.as(SYSTEM, receiveSmsEvent, { kind: "reply", eventId, from, text });
    await placeAnswers(portal, caller);
  }
  const thread = async (id = referralId) =>
    (await portal.as(admin, readOpenReferral, { referralId: id })).toPatient!.sms;
  const incoming = async (id = referralId) =>
    (await thread(id)).messages.flatMap((message) => (message.isIncoming ? [message] : []));
  const queues = async () => {
    const found = (await portal.as(admin, listSms, {})).queues!;
    return { unplaced: found.unplaced, possibly: found.possibly.count, unread: found.unread.count };
  };

  return { nextNumber, rowOf, aPatient, work, answer, thread, incoming, queues };
}

// @module-tag matrix
import { AFTER_TRIAGE, AWAITING_TRIAGE, TU } from "~/features/referrals/model/statuses";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { type ListedReferrals, listReferrals } from "~/features/referrals/list/list-referrals.server";
import { remindOfMaterials } from "../material/ask-for-material.server";
import { STANDARD_DEADLINES } from "~/features/referrals/model/deadlines";
import { nextDateOf } from "~/features/referrals/model/next-date.server";
import { NO_NEXT_DATE } from "~/features/referrals/model/status";
import { listSilentWeeks } from "~/features/statistics/operations.server";
import type { SendResult } from "~/gateways/sending/port";
import { systemCaller } from "~/access/system-caller";
import { addDays, mondayOf } from "~/text/calendar";
import { momentThere } from "~/text/copenhagen.server";
import { createRandom } from "~/demo/content/seeded-random.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { buildChild, runChild } from "../../../../tests/support/crash/run-child";
import { randomChanges } from "../../../../tests/support/random-changes";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";

/** `npm run soak -- --year 10000` sets it. */
const REFERRALS = Number(process.env.YEAR_REFERRALS ?? 150);
const CHANGES_EACH = 5;
const FIRST_DAY = "2026-01-01";
const DAYS = 365;
const LONG = 6 * 3_600_000;

forEachDatabase("a year of referrals", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let child: string;
  let killed = 0;
  let receive: () => Promise<unknown>;
  let changes: (() => Promise<unknown>)[];
  const random = createRandom(20_260_101);
  const { integer, chance, pick } = random;

  beforeAll(async () => {
    child = await buildChild();
    portal = await createTestPortal(dialect);
    portal.clock.set(momentThere(FIRST_DAY, 8, 0).toISOString());
    admin = await aPerson(portal, { role: "Admin" });
    const clinics = [await aClinic(portal), await aClinic(portal)];
    const dentists = await Promise.all(
      [0, 0, 1].map((clinic) => aPerson(portal, { role: "Dentist", clinicIds: [clinics[clinic]!] })),
    );
    const types = await portal.db.selectFrom("treatmentType").select("id").where("id", ">", 0).execute();
    [receive, ...changes] = randomChanges({
      portal,
      admin,
      dentists,
      clinics,
      types: types.length > 0 ? types.map(({ id }) => id) : [0],
      random,
    }) as [typeof receive, ...typeof changes];
    const send = async (): Promise<SendResult> =>
      chance(0.9) ? { outcome: "sent", detail: "" } : { outcome: "refused", detail: "nej" };
    Object.assign(portal, {
      sms: { ...portal.sms, send },
      eboks: { ...portal.eboks, send },
      email: { ...portal.email, send },
    });
  });
  afterAll(() => portal.close());

  const dated = () =>
    portal.db
      .selectFrom("referral")
      .select(["id", "status", "statusSince", "createDate", "sentAt", "deletedAt", "isTest", "holdUntil"])
      .select(["operationDate", "cancellationDate", "nextDueOn"])
      .select(["referenceType", "triagedAt", "triageUrgency"])
      .execute();

  /** A triaged referral stays so until it awaits triage again. */
  function expectTriage(day: string, row: Awaited<ReturnType<typeof dated>>[number]) {
    const { id, status, triagedAt } = row;
    if (status === AWAITING_TRIAGE) expect([day, id, triagedAt]).toEqual([day, id, null]);
    if (AFTER_TRIAGE.includes(status)) expect([day, id, triagedAt]).not.toEqual([day, id, null]);
  }

  /** Every referral's date is the one that follows from what it is now. */
  async function expectDates(day: string) {
    for (const row of await dated()) {
      const expected = nextDateOf(row, STANDARD_DEADLINES);
      expect([day, row.id, row.nextDueOn]).toEqual([day, row.id, expected]);
      const isWaiting =
        row.status in STANDARD_DEADLINES.ordinary || (row.status === TU && row.cancellationDate !== null);
      const isOpen = row.sentAt !== null && row.deletedAt === null && !row.isTest && isWaiting;
      expect([day, row.id, expected !== NO_NEXT_DATE]).toEqual([day, row.id, isOpen]);
      expectTriage(day, row);
    }
  }

  const list = async (input: object) => {
    portal.cache.invalidate("count of");
    portal.cache.invalidate("queues of");
    return (await portal.as(admin, listReferrals, input)) as ListedReferrals;
  };

  /** What is past its date is counted in the queue and listed by it, and nothing else is. */
  async function expectQueue(day: string) {
    const silent = (await dated()).filter((row) => nextDateOf(row, STANDARD_DEADLINES) < day).map(({ id }) => id);
    const queue = (await list({})).queues.find(({ kind }) => kind === "silent");
    expect([day, queue?.count ?? 0]).toEqual([day, silent.length]);
    if (queue === undefined) return;
    const listed: number[] = [];
    for (let page = 1; listed.length < silent.length; page += 1) {
      const { rows } = await list({ f: queue.f, sort: queue.sort, page });
      if (rows.length === 0) break;
      listed.push(...rows.map(({ id }) => id));
    }
    expect([day, listed.toSorted((a, b) => a - b)]).toEqual([day, silent.toSorted((a, b) => a - b)]);
  }

  /** A reminder is in the log as often as its request has been reminded of, at most twice. */
  async function expectRemindersOnce(day: string) {
    const requests = await portal.db.selectFrom("materialRequest").select(["referralId", "reminders"]).execute();
    const logged = await portal.db
      .selectFrom("visitLog")
      .select((eb) => ["referralId", eb.fn.countAll<number>().as("n")])
      .where("event", "in", ["Mindet om manglende materiale", "Kan ikke mindes om materiale: ingen mail"])
      .groupBy("referralId")
      .execute();
    expect(requests.every(({ reminders }) => reminders <= 2)).toBe(true);
    const counted = new Map<number, number>();
    for (const { referralId: id, reminders } of requests) counted.set(id, (counted.get(id) ?? 0) + reminders);
    const expected = [...counted].filter(([, n]) => n > 0).sort(([a], [b]) => a - b);
    expect([day, logged.map((row) => [row.referralId, Number(row.n)]).sort(([a], [b]) => a! - b!)]).toEqual([
      day,
      expected,
    ]);
    return expected.length;
  }

  /** The weeks of the statistics are those in which referrals were seen to be silent, tests and deleted ones apart. */
  async function expectWeeks(seen: ReadonlyMap<number, readonly string[]>) {
    const lastDay = addDays(FIRST_DAY, DAYS - 1);
    const counted = (await dated()).filter(({ isTest, deletedAt }) => !isTest && deletedAt === null);
    const days = counted.map(({ id }) => seen.get(id) ?? []);
    const weeks = await portal.as(admin, listSilentWeeks, { dateFrom: FIRST_DAY, dateTo: lastDay });
    for (const { monday, silent, stillSilent } of weeks) {
      const sunday = addDays(monday, 6) < lastDay ? addDays(monday, 6) : lastDay;
      expect({ monday, silent, stillSilent }).toEqual({
        monday,
        silent: days.filter((of) => of.some((day) => mondayOf(day) === monday)).length,
        stillSilent: days.filter((of) => of.includes(sunday)).length,
      });
    }
    expect(weeks.length).toBeGreaterThan(50);
  }

  /** The job in a process that is killed before one of its first statements, then run again here. */
  async function workerDies() {
    const now = portal.clock.now().toISOString();
    const plan = { now, dieBefore: integer(1, 14), steps: [{ does: "remindOfMaterials" as const }] };
    const { errors, signal } = await runChild(child, portal.config, plan, {});
    expect(errors).toBe("");
    if (signal === "SIGKILL") killed += 1;
  }

  test(
    "has no referral without a date, none silent unseen, and counts each silent week",
    async () => {
      let received = 0;
      const silent = new Map<number, string[]>();
      for (let nth = 0; nth < DAYS; nth += 1) {
        const day = addDays(FIRST_DAY, nth);
        portal.clock.set(momentThere(day, 8, 0).toISOString());
        while (received < Math.ceil(((nth + 1) * REFERRALS) / DAYS)) {
          await receive();
          received += 1;
        }
        const count = Math.round((REFERRALS * CHANGES_EACH) / DAYS);
        for (let step = 0; step < count; step += 1) {
          portal.clock.advance({ minutes: Math.floor(420 / count) });
          await pick(changes)();
        }
        if (nth % 20 === 19) await workerDies();
        await remindOfMaterials(portal, systemCaller("job"));
        portal.clock.set(momentThere(day, 23, 30).toISOString());
        for (const { id, nextDueOn } of await dated())
          if (nextDueOn < day) silent.set(id, [...(silent.get(id) ?? []), day]);
        if (nth % 7 !== 6) continue;
        await expectDates(day);
        await expectQueue(day);
        await expectRemindersOnce(day);
      }
      expect(await expectRemindersOnce("at the end")).toBeGreaterThan(0);
      expect(killed).toBeGreaterThan(0);
      await expectWeeks(silent);
    },
    LONG,
  );
});

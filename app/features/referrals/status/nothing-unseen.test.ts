import fc from "fast-check";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Operation } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { cancelByPatient, undoCancellation } from "~/features/appointment-answers/cancel-by-patient.server";
import { sendAppointmentLetter } from "~/features/appointment-letters/operations.server";
import { callUpByPhone, sendCallUp } from "~/features/call-ups/send-call-up.server";
import { settledMessageOf } from "~/features/delivery/port";
import { sendMessage } from "~/features/delivery/send-message.server";
import { followOutcome } from "~/features/delivery/settle-messages.server";
import { writeMessage } from "~/features/messages/operations.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { type Queue, readQueues } from "~/features/referrals/list/read-queues.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { hasBegun, startOfMoment, timeToCome } from "~/features/referrals/model/operation-start.server";
import { NO_NEXT_DATE } from "~/features/referrals/model/status";
import { CLOSED, IN_TREATMENT, statuses, TU } from "~/features/referrals/model/statuses";
import { isUntriagedUrgent } from "~/features/referrals/model/triage";
import { findToldTimes } from "~/features/referrals/store/told-time-store.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { addDays } from "~/text/calendar";
import { localDate, showDay } from "~/text/dates";
import { aReferral } from "../../../../tests/factories/referrals";
import { appointmentsPortal, head, lineOf, SYSTEM } from "../../../../tests/support/portals/appointments-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { withinChange } from "../../../../tests/support/within-change";
import { askStatus, holdReferral } from "./operations.server";
import { setStatus } from "./set-status.server";
import { setStatuses } from "./set-statuses.server";
import { confirmToldTime } from "./told-times.server";

/** `npm run soak -- --unseen 10000` sets it. */
const numRuns = Number(process.env.UNSEEN_RUNS || 300);
const seed = Number(process.env.FUZZ_SEED || (process.env.UNSEEN_RUNS ? Date.now() : 1));

/** An event, the referral that it is about, and a number that chooses among its ways. */
type Step = [event: string, referral: number, nth: number];

const PATIENTS = 2;
/** A referral of an earlier sequence is in no queue. */
const OVER = {
  status: 7,
  nextDueOn: NO_NEXT_DATE,
  tellUntil: null,
  heldUntil: null,
  hasUnansweredMessage: false,
  cprHash: null,
} as const;
const UNASKED = { isUnattended: true };
const LONG = 24 * 3_600_000;
const [TWO_HOURS, AWAITING] = [2 * 3_600_000, [0, 16, 4]];

forEachDatabase("after any events", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let surgeon: Person;
  let ids: number[] = [0];
  let patients = 1000;
  const { upload, importAll } = appointmentsPortal(
    dialect,
    (begun) => void ({ portal, admin, dentist, surgeon } = begun),
  );

  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  type Row = Awaited<ReturnType<typeof rowOf>>;

  /** What is refused changes nothing. */
  const as = async (operation: Operation<any, any>, input: unknown, actor: Person | typeof SYSTEM = admin) => {
    try {
      return await portal.as(actor, operation, input);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
  const cprOf = new Map<number, string>();
  const today = () => localDate(portal.clock.now());
  const dayOf = (nth: number) => showDay(addDays(today(), 1 + (nth % 12)));

  let forms = 0;
  const write = (by: Person, referralId: number, text: string) =>
    as(writeMessage, { referralId, formKey: `form-${(forms += 1)}`, text }, by);

  /** Each takes a referral and a number that chooses among its ways. */
  const events: Record<string, (row: Row, nth: number) => Promise<unknown>> = {
    async status(row, nth) {
      const status = statuses[nth % statuses.length]!.value;
      const set = { referralId: row.id, status, seenVersion: row.statusVersion, here: "/management/overview" };
      const asked = await as(setStatus, set);
      if (!asked?.to?.includes("afslut")) return;
      const { reason } = (await as(askStatus, { referralId: row.id, status })) as { reason: string | null };
      const answer = { isDeleteAttachments: "false", closedBecause: reason ?? "", time: nth % 2 ? "keep" : "cancel" };
      await as(setStatus, { ...set, ...answer });
    },
    mass: (_row, nth) =>
      as(setStatuses, {
        pick: ids.map(String),
        status: statuses[nth % statuses.length]!.value,
        here: "/management/overview",
      }),
    hold: (row, nth) =>
      as(holdReferral, { referralId: row.id, seenVersion: row.statusVersion, period: nth % 2 ? "week" : "quarter" }),
    plan: (row, nth) =>
      as(editPlan, {
        referralId: row.id,
        seenVersion: row.version,
        ...(nth % 5 && { operationDate: dayOf(nth), operationTimeHours: "10", operationTimeMinutes: "15" }),
      }),
    importTime: async (row, nth) =>
      importAll(await upload(`${head}\n${lineOf(cprOf.get(row.id)!, dayOf(nth))}`), UNASKED),
    async importCancellation(row) {
      const lines = portal.db.selectFrom("visitAppointment").select("date").where("referralId", "=", row.id);
      const known = (await lines.execute()).map(({ date }) => lineOf(cprOf.get(row.id)!, showDay(date), "aflyst"));
      if (known.length > 0) await importAll(await upload(`${head}\n${known.join("")}`), UNASKED);
    },
    async letter(row) {
      await as(sendAppointmentLetter, { referralId: row.id, appointmentType: 2 });
      await as(sendMessage, { owner: "a", channel: "eboks" }, SYSTEM);
    },
    async comesBack(row) {
      const sent = portal.db.selectFrom("outbox").selectAll().where("referralId", "=", row.id).orderBy("id", "desc");
      const message = await sent.limit(1).executeTakeFirst();
      if (message === undefined) return;
      const failed = { outcome: "failed", code: 9, detail: "Kom retur" } as const;
      await as(
        withinChange(({ tx, now }) => followOutcome(tx, portal, settledMessageOf(message), failed, now)),
        {},
        SYSTEM,
      );
    },
    async callUp(row) {
      await as(sendCallUp, { referralId: row.id, patientMobilePhone: "40 12 34 56", incallType: 2 });
      await as(sendMessage, { owner: "a", channel: "sms" }, SYSTEM);
    },
    phone: (row) => as(callUpByPhone, { referralId: row.id, patientMobilePhone: "40 12 34 56" }),
    known: (row) => as(confirmToldTime, { referralId: row.id }),
    cancel: (row) =>
      as(
        withinChange((context) => cancelByPatient(context, { referralId: row.id, source: "link" })),
        {},
        SYSTEM,
      ),
    undoCancellation: (row) => as(undoCancellation, { referralId: row.id, to: "/management/sms" }),
    message: (row) => write(dentist, row.id, "Feber 39 og kan ikke synke."),
    answer: (row) => write(admin, row.id, "Ring til os."),
    async surgeon(row, nth) {
      await portal.db.updateTable("referral").set({ surgeonId: surgeon.id }).where("id", "=", row.id).execute();
      await portal.db
        .updateTable("user")
        .set({ status: nth % 2 })
        .where("id", "=", surgeon.id)
        .execute();
    },
    async days(_row, nth) {
      portal.clock.advance({ hours: 24 * (1 + (nth % 4)) });
    },
  };

  /** The referrals that each queue of staff's front page lists. */
  async function inQueues(): Promise<Map<Queue["kind"], number[]>> {
    portal.cache.invalidate("queues of");
    portal.cache.invalidate("count of");
    const found = new Map<Queue["kind"], number[]>();
    for (const { kind, f, sort, count } of await readQueues(portal, admin, portal.clock.now())) {
      const list = await portal.as(admin, listReferrals, { f, sort, rowsOnly: true });
      const rows = "redirectTo" in list ? [] : list.rows.map(({ id }) => id);
      expect(rows, `${kind} lists what it counts`).toHaveLength(Math.min(Number(count), 20));
      found.set(kind, rows);
    }
    return found;
  }

  async function expectSeen(row: Row, queues: Awaited<ReturnType<typeof inQueues>>): Promise<void> {
    const isIn = (kind: Queue["kind"]) => queues.get(kind)?.includes(row.id) ?? false;
    const now = portal.clock.now();
    const isEnded = [7, 8, 10].includes(row.status);
    if (!isEnded) expect(row.nextDueOn).not.toBe(NO_NEXT_DATE);
    if (row.nextDueOn < today()) expect(isIn("silent"), "late and silent").toBe(true);
    if (isUntriagedUrgent(row)) expect(isIn("untriagedUrgent"), "urgent and not triaged").toBe(true);
    if (row.hasUnansweredMessage) expect(isIn("newMessages"), "an unanswered message").toBe(true);
    const { status: isActive } = await portal.db
      .selectFrom("user")
      .select("status")
      .where("id", "=", surgeon.id)
      .executeTakeFirstOrThrow();
    if (row.surgeonId !== null && !isEnded && isActive === 0) expect(isIn("withoutSurgeon"), "no surgeon").toBe(true);
    const told = (await findToldTimes(portal.db, [row.id])).get(row.id);
    const planned = timeToCome(row, now);
    const awaited = told?.moment && !hasBegun(told.moment, now) ? told.moment : null;
    const isNews = awaited !== null && planned !== awaited;
    const changedAt = new Date(row.modifiedAt ?? row.createDate).getTime();
    const last = [planned, awaited]
      .filter((time) => time !== null)
      .sort()
      .at(-1);
    const isInTime = last !== undefined && startOfMoment(last).getTime() - changedAt > TWO_HOURS;
    if (isNews && isInTime) expect(isIn("toTell"), "told another time").toBe(true);
  }

  /** What the referrer reads is true of the case. */
  async function expectTrue(row: Row): Promise<void> {
    const { meaning } = await portal.as(dentist, readOpenReferral, { referralId: row.id });
    const lines = portal.db.selectFrom("visitAppointment").select("date").where("referralId", "=", row.id);
    const days = (await lines.where("isCancelled", "=", false).execute()).map(({ date }) => date);
    const own = row.cancellationDate === null && row.status !== 13 ? operationMoment(row) : null;
    if (meaning.includes("er i behandling")) expect(own !== null || days.length > 0, meaning).toBe(true);
    if (meaning.includes("Behandlingen er afsluttet"))
      expect((own !== null && hasBegun(own, portal.clock.now())) || days.some((day) => day < today()), meaning).toBe(
        true,
      );
    if (meaning.includes("læser den")) expect(row.holdUntil <= today(), meaning).toBe(true);
  }

  /** Sequences begin with one of these, since few would come to them. */
  const to = (status: number): Step => ["status", 0, statuses.findIndex(({ value }) => value === status)];
  const beginnings: Record<string, readonly Step[]> = {
    nothing: [],
    told: [to(IN_TREATMENT), ["plan", 0, 6], ["letter", 0, 0]],
    toldByFile: [to(IN_TREATMENT), ["importTime", 0, 6], ["letter", 0, 0], ["importCancellation", 0, 0]],
    asked: [["message", 0, 0]],
    askedAndClosed: [["message", 0, 0], to(CLOSED)],
    cancelledInTu: [to(IN_TREATMENT), ["plan", 0, 6], to(TU), ["cancel", 0, 0], ["days", 0, 3], ["days", 0, 3]],
  };
  const anyBeginning = fc.constantFrom(...Object.keys(beginnings));
  const anyStep: fc.Arbitrary<Step> = fc.tuple(
    fc.constantFrom(...Object.keys(events)),
    fc.nat(PATIENTS - 1),
    fc.nat(999),
  );

  async function play(begins: string, steps: readonly Step[], urgent: number): Promise<void> {
    portal.clock.set("2026-12-15T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.updateTable("referral").set(OVER).where("id", "in", ids).execute();
    await portal.db.updateTable("user").set({ status: 1 }).where("id", "=", surgeon.id).execute();
    ids = [];
    for (let nth = 0; nth < PATIENTS; nth += 1) {
      const cpr4 = String((patients += 1) % 10_000).padStart(4, "0");
      const referenceType = urgent & (1 << nth) ? "1" : "0";
      const id = await aReferral(portal, dentist, {
        cpr6: "610181",
        cpr4,
        mobilePhone: "40 12 34 56",
        referenceType,
      });
      cprOf.set(id, `610181-${cpr4}`);
      ids.push(id);
    }
    for (const [name, which, nth] of [...beginnings[begins]!, ...steps]) {
      portal.clock.advance({ minutes: 7 });
      const before = await rowOf(ids[which]!);
      await events[name]!(before, nth);
      const after = await rowOf(before.id);
      const movesTime = ["plan", "importTime", "importCancellation"].includes(name);
      if (movesTime && before.triagedAt === null && AWAITING.includes(before.status))
        expect(after.nextDueOn, "the date of an untriaged case").toBe(before.nextDueOn);
      if (before.hasUnansweredMessage && name !== "answer") expect(after.hasUnansweredMessage, name).toBe(true);
      if (before.hasAnaesthesia && after.status !== 0) expect(after.hasAnaesthesia, name).toBe(true);
    }
    const queues = await inQueues();
    for (const id of ids) {
      const row = await rowOf(id);
      await expectSeen(row, queues);
      await expectTrue(row);
    }
  }

  test(
    "nothing waits unseen, and no sentence says what is not so",
    async () => {
      const sequences = fc.asyncProperty(
        anyBeginning,
        fc.array(anyStep, { minLength: 2, maxLength: 8 }),
        fc.nat(3),
        async (begins, steps, urgent) => {
          await expect(play(begins, steps, urgent)).resolves.toBeUndefined();
        },
      );
      await fc.assert(sequences, { numRuns, seed, endOnFailure: numRuns > 300 });
    },
    LONG,
  );
});

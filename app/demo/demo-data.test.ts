/// <reference types="vite/client" />
import { isWeekend, parseISO } from "date-fns";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealedCpr } from "~/access/sealed-column.server";
import { findByUserName } from "~/features/accounts/store.server";
import { readLetterSettings } from "~/features/message-settings/operations.server";
import { CLOSED, DECLINED, statuses, TU } from "~/features/referrals/model/statuses";
import { localDate, localHour } from "~/text/dates";
import { createTestPortal, type TestPortal, testClock } from "../../tests/support/test-portal";
import { isAcute } from "./content/clinical-texts.server";
import { demoPatients, makeDemoData } from "./demo-data.server";

/** As many as the clinic gets in three months: the demo of `npm start` has 400. */
const REFERRALS = 100;
const NOW = "2026-12-02T13:00:00.000Z";

describe("the demo", () => {
  let portal: TestPortal;
  let made: Awaited<ReturnType<typeof makeDemoData>>;
  beforeAll(async () => {
    portal = await createTestPortal("sqlite", { clock: testClock(NOW) });
    made = await makeDemoData(portal, REFERRALS);
  });
  afterAll(() => portal.close());

  const referrals = () => portal.db.selectFrom("referral").selectAll().where("sentAt", "is not", null).execute();
  const medianOf = async (measure: string) => {
    const sums = await portal.db
      .selectFrom("statisticsSum")
      .select(["bucket", "n"])
      .where("measure", "=", measure)
      .where("grain", "=", "M")
      .execute();
    const days = sums.flatMap(({ bucket, n }) => Array.from({ length: n }, () => Number(bucket.split(":")[1])));
    return days.sort((one, other) => one - other)[Math.floor(days.length / 2)];
  };

  test("no row of a played story is written past the portal's operations", () => {
    const sources = import.meta.glob<string>(["./demo-*.ts", "!./*.test.ts", "!./demo-people.server.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    });
    expect(Object.keys(sources).length).toBeGreaterThan(8);
    for (const [file, text] of Object.entries(sources))
      expect(text, file).not.toMatch(/insertInto|updateTable|deleteFrom|outbox\.(sms|email|eboks|print|edi)/);
  });

  test("all 17 statuses are somebody's", async () => {
    const there = new Set((await referrals()).map(({ status }) => status));
    expect(statuses.filter(({ value }) => !there.has(value)).map(({ label }) => label)).toEqual([]);
  });

  test("an older referral has ended, and its log leads there from its beginning", async () => {
    const [oldest] = await referrals();
    const log = await portal.db.selectFrom("visitLog").selectAll().where("referralId", "=", oldest!.id).execute();
    const statusLines = log.filter(({ status }) => status !== null).map(({ status, at }) => ({ status, at }));
    expect([CLOSED, DECLINED, TU]).toContain(oldest!.status);
    expect(statusLines[0]).toEqual({ status: 0, at: oldest!.sentAt });
    expect(statusLines.at(-1)).toEqual({ status: oldest!.status, at: oldest!.statusSince });
    expect(log.length).toBeGreaterThan(statusLines.length);
  });

  test("messages are made and sent from 7 to 16 on working days", async () => {
    const messages = await portal.db.selectFrom("outbox").select(["createdAt", "sentAt"]).execute();
    expect(messages.length).toBeGreaterThan(REFERRALS);
    for (const moment of messages.flatMap(({ createdAt: queued, sentAt: sent }) => [queued, sent ?? queued])) {
      const at = new Date(moment);
      expect(isWeekend(parseISO(localDate(at))), moment).toBe(false);
      expect(localHour(at), moment).toBeGreaterThanOrEqual(7);
      expect(localHour(at), moment).toBeLessThan(16);
    }
  });

  test("appointments are on working days, and closed cases have none ahead", async () => {
    const lines = await portal.db
      .selectFrom("visitAppointment")
      .innerJoin("referral", "referral.id", "visitAppointment.referralId")
      .select(["date", "status"])
      .execute();
    const times = (await referrals()).flatMap(({ operationDate: date, status }) =>
      date === null ? [] : [{ date, status }],
    );
    expect(lines.length).toBeGreaterThan(20);
    for (const { date, status } of [...lines, ...times]) {
      expect(isWeekend(parseISO(date)), date).toBe(false);
      if ([CLOSED, DECLINED, TU].includes(status)) expect(date < localDate(new Date(NOW)), date).toBe(true);
    }
  });

  test("three to five urgent referrals wait, and every acute case is urgent", async () => {
    const sent = await referrals();
    const waiting = sent.filter(({ referenceType: type, status }) => type === 1 && [0, 16, 1].includes(status));
    expect(waiting.length).toBeGreaterThanOrEqual(3);
    expect(waiting.length).toBeLessThanOrEqual(5);
    const written = sent.filter(({ visitType: type }) => type === "simple");
    for (const row of written)
      expect(row.referenceType, row.diagnose!).toBe(
        isAcute({
          diagnose: row.diagnose ?? "",
          desiredTreatment: row.desiredTreatment ?? "",
          comment: row.comment ?? "",
        })
          ? 1
          : 0,
      );
  });

  test("medians: 1 to 3 days to triage, 5 to the call-up, 21 to 35 to the operation", async () => {
    expect([1, 2, 3]).toContain(await medianOf("toTriage"));
    expect([4, 5, 6]).toContain(await medianOf("toCallUp"));
    const operation = await medianOf("toOperation");
    expect(operation).toBeGreaterThanOrEqual(21);
    expect(operation).toBeLessThanOrEqual(35);
  });

  test("30 to 38 referrals come in a whole month", async () => {
    const byMonth = new Map<string, number>();
    for (const { sentAt: at } of await referrals()) {
      const month = localDate(new Date(at!)).slice(0, 7);
      byMonth.set(month, (byMonth.get(month) ?? 0) + 1);
    }
    const whole = [...byMonth].sort().slice(1, -1);
    expect(whole.length).toBeGreaterThanOrEqual(2);
    for (const [month, count] of whole) {
      expect(count, month).toBeGreaterThanOrEqual(30);
      expect(count, month).toBeLessThanOrEqual(38);
    }
  });

  test("BUT pays only for patients under 18", async () => {
    const children = new Set(demoPatients(2026).flatMap(({ cpr, isChild }) => (isChild ? [cpr] : [])));
    const paid = (await referrals()).filter(({ paymentType: type }) => type === 3);
    expect(paid.length).toBeGreaterThan(0);
    for (const row of paid) expect(children).toContain(sealedCpr.open(portal.secrets, row));
  });

  test("nearly every discharge letter by EDI comes through", async () => {
    const letters = await portal.db
      .selectFrom("outbox")
      .select("outcome")
      .where("channel", "=", "edi")
      .where("kind", "=", "dischargeLetter")
      .execute();
    expect(letters.length).toBeGreaterThan(10);
    expect(letters.filter(({ outcome }) => outcome === "sent").length / letters.length).toBeGreaterThan(0.9);
  });

  test("a discharge letter has the clinic's head, the CPR number and the surgeon's name", async () => {
    const letters = await portal.db
      .selectFrom("dischargeLetter")
      .innerJoin("referral", "referral.id", "dischargeLetter.referralId")
      .innerJoin("storedFile", "storedFile.id", "dischargeLetter.diagnosisFileId")
      .selectAll("referral")
      .select("storageKey")
      .execute();
    expect(letters.length).toBeGreaterThan(REFERRALS / 3);
    const [letter] = letters;
    const answer = await portal.files.withLocalCopy(letter!.storageKey, (path) => portal.previews.readPdfText(path));
    const text = "text" in answer ? answer.text : "";
    for (const words of ["Operationsvej 7", sealedCpr.open(portal.secrets, letter!)!, "Venlig hilsen"])
      expect(text).toContain(words);
    expect(text).toMatch(/Lise Bjerregaard|Thomas Øllgaard/);
  });

  test("the letterhead is filled", async () => {
    const admin = await findByUserName(portal.db, "admin");
    const person = { kind: "person", ...admin!, roles: ["Admin"] } as unknown as Person;
    const { batchHour: _, ...letterhead } = (await portal.as(person, readLetterSettings, {})).letter;
    expect(Object.entries(letterhead).filter(([, value]) => value === "")).toEqual([]);
  });

  test("six cars have a place, and one file of 40 times is imported", async () => {
    expect(await portal.db.selectFrom("parkingBooking").select("id").execute()).toHaveLength(6);
    const files = await portal.db.selectFrom("appointmentFile").select(["rowCount", "rowsDone", "status"]).execute();
    expect(files).toEqual([{ rowCount: 40, rowsDone: 40, status: 1 }]);
  });

  test("everybody who is active has been there in the last two weeks", async () => {
    const users = await portal.db
      .selectFrom("user")
      .select(["userName", "lastActiveAt"])
      .where("status", "=", 1)
      .execute();
    for (const { userName: name, lastActiveAt: at } of users)
      expect((at ?? "") > "2026-11-18", `${name} ${at}`).toBe(true);
  });

  test("ids are in order of time, so that lists by id are", async () => {
    const rows = {
      outbox: await portal.db.selectFrom("outbox").select("createdAt as at").orderBy("id").execute(),
      log: await portal.db.selectFrom("visitLog").select("at").orderBy("id").execute(),
      message: await portal.db.selectFrom("message").select("createdAt as at").orderBy("id").execute(),
      referral: await portal.db.selectFrom("referral").select("createDate as at").orderBy("id").execute(),
      audit: await portal.db.selectFrom("auditEvent").select("at").orderBy("id").execute(),
    };
    for (const [table, times] of Object.entries(rows)) {
      expect(times.length, table).toBeGreaterThan(20);
      const moments = times.map(({ at }) => at);
      expect(moments, table).toEqual(moments.toSorted());
    }
  });

  test("the embedded register knows every patient of the demo", async () => {
    for (const row of await referrals()) {
      const answer = made!.register.get(sealedCpr.open(portal.secrets, row)!);
      expect(answer, row.lastName).toMatchObject({ kind: "found" });
    }
    expect(await makeDemoData(portal)).toEqual(made);
  });
});

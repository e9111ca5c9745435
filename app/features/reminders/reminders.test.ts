import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { addHours } from "date-fns";
import type { Person } from "~/access/actor";
import { type ChangeContext, change } from "~/access/operation.server";
import { cancelByPatient } from "~/features/appointment-answers/cancel-by-patient.server";
import { confirmByPatient } from "~/features/appointment-answers/confirm-by-patient.server";
import { saveMessageText } from "~/features/message-settings/save-message-text.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { stopReminders } from "~/features/sms-stops/stopped-numbers.server";
import { systemCaller } from "~/jobs/system-caller";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../../../tests/support/delivery/gatewayapi-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readReminderSettings } from "./reminder-settings.server";
import { saveReminderSettings } from "./save-reminder-settings.server";
import { sendDueReminders } from "./send-due-reminders.server";

const SYSTEM = { kind: "system", job: "test" } as const;
const LONG = 300_000;

const form = {
  isOn: "on",
  days1: "3",
  hour1: "10",
  days2: "1",
  hour2: "09",
  hour3: "10",
  quietFrom: "20",
  quietTo: "8",
};

forEachDatabase("reminders", (dialect) => {
  let portal: TestPortal;
  let gatewayApi: GatewayApiPeer;
  let env: Record<string, string>;
  let child: string;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => {
    child = await buildChild();
    gatewayApi = await startGatewayApiPeer();
    env = { SMS_URL: gatewayApi.url, SMS_TOKEN };
    portal = await createTestPortal(dialect, { env });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    await gatewayApi.stop();
  });
  beforeEach(async () => {
    gatewayApi.reset();
    for (const table of ["outbox", "appointment_reminder", "sms_stop", "setting", "message_template"] as const)
      await portal.db.deleteFrom(table).execute();
    await portal.db.updateTable("referral").set({ operation_date: null }).execute();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.as(admin, saveReminderSettings, form);
  });

  let count = 0;
  async function patient(moment: string, changes: Record<string, unknown> = {}) {
    count += 1;
    const number = `40 10 ${String(count)
      .padStart(4, "0")
      .replace(/(..)(..)/, "$1 $2")}`;
    const id = await aReferral(portal, dentist, { mobilePhone: number, ...changes });
    await timeIs(id, moment);
    return { id, number: Number(`45${number.replace(/ /g, "")}`) };
  }
  const versionOf = async (id: number) =>
    (await portal.db.selectFrom("referral").select("version").where("id", "=", id).executeTakeFirstOrThrow()).version;
  async function timeIs(id: number, moment: string) {
    const [day, time] = moment.split(" ") as [string, string];
    const [operationTimeHours, operationTimeMinutes] = time.split(":");
    const seenVersion = await versionOf(id);
    await portal.as(admin, editPlan, {
      referralId: id,
      seenVersion,
      operationDate: day,
      operationTimeHours,
      operationTimeMinutes,
    });
  }
  const statusIs = async (id: number, status: number) =>
    portal.as(admin, setStatus, {
      referralId: id,
      status,
      seenVersion: await versionOf(id),
      isDeleteAttachments: "false",
    });
  const within = (work: (context: ChangeContext) => Promise<unknown>) =>
    portal.as(
      SYSTEM,
      change({
        name: "test",
        permission: "system",
        input: z.object({}),
        run: async (context) => (await work(context), {}),
      }),
      {},
    );
  async function job(at?: string) {
    if (at) portal.clock.set(at);
    await sendDueReminders(portal, systemCaller("job"));
  }
  const queued = async () =>
    (
      await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "appointmentReminder").orderBy("id").execute()
    ).map((row) => ({
      id: row.referral_id,
      outcome: row.outcome,
      text: (JSON.parse(unsealMessage(portal.secrets, row).content!) as { text: string }).text,
    }));
  const arrivedAt = (number: number) => gatewayApi.deliveries.filter(({ recipient }) => recipient === number);

  test.each([
    ["spring", "2026-03-30", "2026-03-26T05:00:00.000Z", "2026-03-31"],
    ["autumn", "2026-10-26", "2026-10-22T05:00:00.000Z", "2026-10-27"],
  ])(
    "run 50 times by two processes across the change in %s, with a moved and a cancelled time: one SMS for each reminder and time",
    async (_, day, begin, later) => {
      portal.clock.set(begin);
      const [stays, moves, cancels, early] = [
        await patient(`${day} 10:15`),
        await patient(`${day} 11:30`),
        await patient(`${day} 12:00`),
        await patient(`${day} 07:00`),
      ];
      const at = Array.from({ length: 50 }, (__, nth) => addHours(new Date(begin), nth * 2 + 1).toISOString());
      const both = async (moments: string[]) => {
        const plan = { now: moments[0]!, dieBefore: null, steps: [{ does: "sendDueReminders" as const, at: moments }] };
        for (const { errors } of await Promise.all([1, 2].map(() => runChild(child, portal.config, plan, env))))
          expect(errors).toBe("");
      };
      await both(at.slice(0, 28));
      // The first reminder of all has gone.
      expect(gatewayApi.deliveries).toHaveLength(4);
      portal.clock.set(at[28]!);
      await timeIs(moves.id, `${later} 09:00`);
      await within((context) => cancelByPatient(context, { referralId: cancels.id, source: "sms" }));
      await both(at.slice(28));
      const ofReminders = ({ number }: { number: number }) =>
        arrivedAt(number).map(({ message }) =>
          / (\d\d)\.(\d\d)\.\d{4} kl\. (\d\d\.\d\d)/.exec(message)?.slice(1).join(" "),
        );
      const [dd, ll] = [day.slice(8), later.slice(8)];
      const mm = day.slice(5, 7);
      expect(ofReminders(stays)).toEqual([`${dd} ${mm} 10.15`, `${dd} ${mm} 10.15`]);
      expect(ofReminders(early)).toEqual([`${dd} ${mm} 07.00`, `${dd} ${mm} 07.00`]);
      // One of the old time, then both of the new.
      expect(ofReminders(moves)).toEqual([`${dd} ${mm} 11.30`, `${ll} ${mm} 09.00`, `${ll} ${mm} 09.00`]);
      expect(ofReminders(cancels).filter(Boolean)).toEqual([`${dd} ${mm} 12.00`]);
      expect(new Set(gatewayApi.deliveries.map(({ reference }) => reference)).size).toBe(gatewayApi.deliveries.length);
    },
    LONG,
  );

  test(
    "a process killed before any statement leaves one SMS all the same",
    async () => {
      const steps = [{ does: "sendDueReminders" as const, at: ["2026-12-02T10:00:00.000Z"] }];
      const run = (dieBefore: number | null) =>
        runChild(child, portal.config, { now: "2026-12-02T10:00:00.000Z", dieBefore, steps }, env);
      const first = await patient("2026-12-03 10:15");
      const { statements } = await run(null);
      expect(arrivedAt(first.number)).toHaveLength(1);
      for (let n = 2; n < Math.min(statements!, 36); n += 4) {
        await portal.db.updateTable("referral").set({ operation_date: null }).execute();
        const { id, number } = await patient("2026-12-03 10:15");
        expect((await run(n)).signal).toBe("SIGKILL");
        portal.clock.set("2026-12-02T10:10:00.000Z");
        await job();
        while ((await portal.as(SYSTEM, sendMessage, { owner: "fresh", channel: "sms" })).data?.sent === true);
        const rows = (await queued()).filter((row) => row.id === id);
        expect(rows).toHaveLength(1);
        // In the middle of a sending nobody knows: a person judges.
        expect(arrivedAt(number).length).toBe(rows[0]!.outcome === "sent" ? 1 : arrivedAt(number).length);
        expect(arrivedAt(number).length).toBeLessThanOrEqual(1);
      }
    },
    LONG,
  );

  test("sends no reminder to a patient who is not expected or must not be contacted", async () => {
    const someone = await patient("2026-12-03 10:15");
    const ids: Record<string, number> = {};
    for (const status of [7, 8, 10, 13]) {
      ids[`status ${status}`] = (await patient("2026-12-03 10:15")).id;
      await statusIs(ids[`status ${status}`]!, status);
    }
    ids.test = (await patient("2026-12-03 10:15")).id;
    await portal.db.updateTable("referral").set({ is_test: 1 }).where("id", "=", ids.test).execute();
    ids.withoutMobile = (await patient("2026-12-03 10:15", { mobilePhone: "" })).id;
    const stopped = await patient("2026-12-03 10:15");
    await portal.db
      .transaction()
      .execute((tx) => stopReminders(tx, portal.secrets, `+${stopped.number}`, portal.clock.now()));
    const confirmed = await patient("2026-12-03 10:15");
    await within((context) => confirmByPatient(context, { referralId: confirmed.id, source: "link" }));
    ids.deleted = (await patient("2026-12-03 10:15")).id;
    await portal.db
      .updateTable("referral")
      .set({ deleted_at: "2026-12-01 09:00:00.000" })
      .where("id", "=", ids.deleted)
      .execute();
    const draftId = await aDraft(portal, dentist, { mobilePhone: "40 12 34 56" });
    await portal.db
      .updateTable("referral")
      .set({ operation_date: "2026-12-03", operation_hour: 10, operation_minute: 15 })
      .where("id", "=", draftId)
      .execute();
    await job("2026-12-02T08:00:00.000Z");
    await job();
    expect((await queued()).map(({ id }) => id)).toEqual([someone.id]);
    const logged = await portal.db
      .selectFrom("visit_log")
      .select("event")
      .where("referral_id", "=", stopped.id)
      .where("event", "like", "Påmindelse%")
      .execute();
    expect(logged).toEqual([
      { event: "Påmindelse 2 er ikke sendt: Patienten har svaret STOP og får ingen påmindelser på det nummer." },
    ]);
  });

  test("what was queued does not leave when its patient is no longer expected, or in quiet hours", async () => {
    const { id } = await patient("2026-12-03 10:15");
    await job("2026-12-02T08:00:00.000Z");
    await statusIs(id, 7);
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect((await queued())[0]!.outcome).toBe("withdrawn");
    const other = await patient("2026-12-04 10:15");
    await job("2026-12-03T08:00:00.000Z");
    // The provider was away until the evening.
    portal.clock.set("2026-12-03T19:30:00.000Z");
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect(arrivedAt(other.number)).toEqual([]);
    portal.clock.set("2026-12-04T07:30:00.000Z");
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect(arrivedAt(other.number)).toHaveLength(1);
  });

  test("of two reminders due at the same time only the later one is sent", async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.as(admin, saveReminderSettings, { ...form, days1: "2", hour1: "18" });
    const { id } = await patient("2026-12-03 10:15");
    await job("2026-12-02T08:30:00.000Z");
    await job("2026-12-02T09:30:00.000Z");
    expect((await queued()).map((row) => row.id)).toEqual([id]);
  });

  test("sends no reminder for excluded treatments or while reminders are off", async () => {
    const type = await portal.db.selectFrom("treatment_type").select("id").where("id", ">", 0).executeTakeFirst();
    const { id } = await patient("2026-12-03 10:15");
    const typeId = type?.id ?? 77;
    await portal.db.updateTable("referral").set({ treatment_type_id: typeId }).where("id", "=", id).execute();
    await portal.as(admin, saveReminderSettings, { ...form, excludedTypes: [String(typeId)] });
    await job("2026-12-02T08:00:00.000Z");
    await portal.as(admin, saveReminderSettings, { ...form, isOn: undefined });
    await job();
    expect(await queued()).toEqual([]);
    await portal.as(admin, saveReminderSettings, form);
    await job();
    expect(await queued()).toHaveLength(1);
  });

  test("a reminder has words of its own, or those of the clinic", async () => {
    await portal.as(admin, saveMessageText, {
      kind: "appointmentReminder",
      channel: "sms",
      body: "Husk ((dato)) kl. ((klokkeslæt)). ((svarlink))",
      seenVersion: 0,
    });
    await portal.as(admin, saveReminderSettings, { ...form, text2: "Vi ses i morgen kl. ((klokkeslæt))." });
    await patient("2026-12-03 10:15");
    await patient("2026-12-04 10:15");
    await job("2026-12-01T09:00:00.000Z");
    await job("2026-12-02T09:00:00.000Z");
    expect((await queued()).map(({ text }) => text.replace(/https?:\S+/, "LINK"))).toEqual([
      "Husk 04.12.2026 kl. 10.15. LINK",
      "Vi ses i morgen kl. 10.15.",
    ]);
  });

  test.each([
    [{ days1: "0" }],
    [{ days1: "x" }],
    [{ days1: "61" }],
    [{ days1: "1" }],
    [{ days1: "", days2: "" }],
    [{ hour1: "24" }],
    [{ text1: "Din operation ((dato))" }],
    [{ text1: "((ukendt))" }],
    [{ quietFrom: "" }],
  ])("%j is refused", async (changes) => {
    await expect(portal.as(admin, saveReminderSettings, { ...form, ...changes })).rejects.toMatchObject({
      name: "invalid",
    });
    expect(await readReminderSettings(portal.db)).toMatchObject({
      isOn: true,
      rules: [{ daysBefore: 3 }, { daysBefore: 1 }],
    });
  });
});

import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { confirmByPatient } from "~/features/appointment-answers/answer-appointment.server";
import { saveMessageText } from "~/features/message-settings/operations.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { insertStop } from "~/features/sms-stops/sms-stop-store.server";
import { aDraft } from "../../../tests/factories/referrals";
import { form, remindersPortal, SYSTEM } from "../../../tests/support/portals/reminders-portal";
import { loggedEvents } from "../../../tests/support/logged-events";
import { refusing } from "../../../tests/support/refusing-trigger";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readReminderSettings, saveReminderSettings } from "./reminder-settings.server";

forEachDatabase("reminders", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  const { patient, statusIs, within, job, queued, arrivedAt } = remindersPortal(dialect, (opened) => {
    ({ portal, admin, dentist } = opened);
  });

  test("sends no reminder to a patient who is not expected or must not be contacted", async () => {
    const someone = await patient("2026-12-03 10:15");
    const ids: Record<string, number> = {};
    for (const status of [7, 8, 10, 13]) {
      ids[`status ${status}`] = (await patient("2026-12-03 10:15")).id;
      await statusIs(ids[`status ${status}`]!, status);
    }
    ids.test = (await patient("2026-12-03 10:15")).id;
    await portal.db.updateTable("referral").set({ isTest: true }).where("id", "=", ids.test).execute();
    ids.withoutMobile = (await patient("2026-12-03 10:15", { mobilePhone: "" })).id;
    const stopped = await patient("2026-12-03 10:15");
    await portal.db
      .transaction()
      .execute((tx) => insertStop(tx, portal.secrets, `+${stopped.number}`, portal.clock.now()));
    const confirmed = await patient("2026-12-03 10:15");
    await within((context) => confirmByPatient(context, { referralId: confirmed.id, source: "link" }));
    ids.deleted = (await patient("2026-12-03 10:15")).id;
    await portal.db
      .updateTable("referral")
      .set({ deletedAt: "2026-12-01T09:00:00.000Z" })
      .where("id", "=", ids.deleted)
      .execute();
    const draftId = await aDraft(portal, dentist, { mobilePhone: "40 12 34 56" });
    await portal.db
      .updateTable("referral")
      .set({ operationDate: "2026-12-03", operationHour: 10, operationMinute: 15 })
      .where("id", "=", draftId)
      .execute();
    await job("2026-12-02T08:00:00.000Z");
    await job();
    expect((await queued()).map(({ id }) => id)).toEqual([someone.id]);
    const logged = await portal.db
      .selectFrom("visitLog")
      .select("event")
      .where("referralId", "=", stopped.id)
      .where("event", "like", "Påmindelse%")
      .execute();
    expect(logged).toEqual([
      { event: "Påmindelse 2 er ikke sendt: Patienten har svaret STOP og får ingen påmindelser på det nummer." },
    ]);
  });

  test("a queued reminder stays when its patient is not expected, or it is quiet", async () => {
    const { id } = await patient("2026-12-03 10:15");
    await job("2026-12-02T08:00:00.000Z");
    await statusIs(id, 7);
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect((await queued())[0]!.outcome).toBe("withdrawn");
    const other = await patient("2026-12-04 10:15");
    await job("2026-12-03T08:00:00.000Z");
    portal.clock.set("2026-12-03T19:30:00.000Z");
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect(arrivedAt(other.number)).toEqual([]);
    portal.clock.set("2026-12-04T07:30:00.000Z");
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect(arrivedAt(other.number)).toHaveLength(1);
  });

  test("a reminder that fails stops no other", async () => {
    const broken = await patient("2026-12-03 10:15");
    const next = await patient("2026-12-03 10:15");
    const mend = await refusing(portal, "insert", "appointmentReminder", `new.referral_id = ${broken.id}`);
    await job("2026-12-02T08:00:00.000Z");
    expect((await queued()).map(({ id }) => id)).toEqual([next.id]);
    await mend();
    await job();
    expect((await queued()).map(({ id }) => id)).toEqual([next.id, broken.id]);
  });

  test("a refused reminder leaves no link for its patient, and says once why", async () => {
    await portal.as(admin, saveReminderSettings, { ...form, text2: "Kære ((fornavn)). ((svarlink))" });
    const { id } = await patient("2026-12-03 10:15");
    await portal.db.updateTable("referral").set({ firstName: "" }).where("id", "=", id).execute();
    await job("2026-12-02T08:00:00.000Z");
    await job();
    expect(await queued()).toEqual([]);
    const links = portal.db.selectFrom("accessToken").select("id").where("referralId", "=", id);
    expect(await links.execute()).toEqual([]);
    const events = (await loggedEvents(portal.db, id)).filter((event) => event?.startsWith("Påmindelse"));
    expect(events).toEqual([expect.stringMatching(/^Påmindelse 2 er ikke sendt: /)]);
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
    const type = await portal.db.selectFrom("treatmentType").select("id").where("id", ">", 0).executeTakeFirst();
    const { id } = await patient("2026-12-03 10:15");
    const typeId = type?.id ?? 77;
    await portal.db.updateTable("referral").set({ treatmentTypeId: typeId }).where("id", "=", id).execute();
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

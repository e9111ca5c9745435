import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Outcome } from "~/features/delivery/delivery-outcome";
import { deliveryStatuses } from "~/features/delivery/delivery-status";
import { channels } from "~/features/delivery/channels/index.server";
import { inTransaction } from "~db/connection.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { hideSecrets, logState, logTypes } from "./log-types";
import { listLog, readLogMail, readLogMessage } from "./log-list.server";

const outcomes: Outcome[] = ["queued", "awaiting", "sent", "failed", "unknown", "withdrawn"];

test("3 is a success, 0 and 2 wait, and every other of the eleven states has failed", () => {
  const stateOf = (code: number) => (code === 3 ? 1 : code === 0 || code === 2 ? 0 : 2);
  for (const channel of [channels.email, channels.eboks])
    for (const outcome of outcomes) expect(logState(outcome), outcome).toBe(stateOf(channel.codes[outcome]));
  for (const outcome of outcomes) expect(logState(outcome), outcome).toBe(channels.sms.codes[outcome]);
  expect(Object.keys(deliveryStatuses)).toHaveLength(11);
});

test("hides links and codes that let somebody in, and shows the rest as sent", () => {
  const html =
    '<p>Se https://a.dk/pdf/visit?id=7</p><a href="https://a.dk/change-password?user=x&amp;token=abc">Ny adgangskode</a><a href="https://a.dk/vejledning">Læs</a>';
  expect(hideSecrets(html)).toBe(
    '<p>Se https://a.dk/pdf/visit?id=7</p><a>Ny adgangskode</a><a href="https://a.dk/vejledning">Læs</a>',
  );
  expect(hideSecrets("Svar her: https://a.dk/aftale?tk=h3mm3l1g. Hilsen klinikken")).toBe(
    "Svar her: (linket er skjult) Hilsen klinikken",
  );
  expect(hideSecrets("Din engangskode er 483920. Ring 70 12 34 56.")).toBe(
    "Din engangskode er (skjult). Ring 70 12 34 56.",
  );
});

forEachDatabase("the logs", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    referralId = await aReferral(portal, dentist, { cpr6: "610180", cpr4: "1777" });
    await portal.db.deleteFrom("outbox").execute();
    await inTransaction(portal.db, async (tx) => {
      const outbox = portal.outboxIn(tx);
      ids.mail = await outbox.email({
        kind: "callUp",
        to: "en@eksempel.dk, to@eksempel.dk",
        referralId,
        subject: "Indkaldelse",
        text: "Hej",
        html: '<p style="color:red">Hej</p><a href="https://a.dk/dl?tk=x">Hent</a>',
      });
      ids.reset = await outbox.email({
        kind: "passwordReset",
        to: "en@eksempel.dk",
        userId: admin.id,
        subject: "Ny adgangskode",
        text: "x",
        html: "<p>https://a.dk/change-password?token=y</p>",
      });
      ids.sms = await outbox.sms({ kind: "callUp", to: "+4540123456", referralId, text: "Ring til os." });
      ids.test = await outbox.sms({ kind: "testMessage", to: "+4540123456", userId: admin.id, text: "Prøve" });
      ids.eboks = await outbox.eboks({
        kind: "invoice",
        to: "610180-1777",
        referralId,
        title: "Faktura",
        text: "Faktura",
      });
    });
    await portal.db
      .updateTable("outbox")
      .set({ outcome: "sent", code: 3, sentAt: "2026-12-01T10:00:00.000Z" })
      .where("id", "=", ids.mail!)
      .execute();
    await portal.db.updateTable("outbox").set({ outcome: "failed", code: 2 }).where("id", "=", ids.sms!).execute();
  });
  afterAll(() => portal.close());

  const log = (name: string, more: object = {}) => portal.as(admin, listLog, { log: name, ...more });
  const idsOf = ({ rows }: Awaited<ReturnType<typeof log>>) => rows.map(({ id }) => id);

  test("each shows its own channel, newest first, with what its table says", async () => {
    const mails = await log("email");
    expect(idsOf(mails)).toEqual([ids.reset, ids.mail]);
    expect(mails.rows[1]).toMatchObject({
      to: "en@eksempel.dk, to@eksempel.dk",
      subject: "Indkaldelse",
      state: 1,
      createdAt: "2026-12-01T09:00:00.000Z",
      sentAt: "2026-12-01T10:00:00.000Z",
    });
    expect(mails.rows[1]!.sender).toBe(portal.config.mailFrom);
    await portal.db.updateTable("outbox").set({ sender: "foer@eksempel.dk" }).where("id", "=", ids.mail!).execute();
    expect((await log("email")).rows.map(({ sender }) => sender)).toEqual([portal.config.mailFrom, "foer@eksempel.dk"]);
    const sms = await log("sms");
    expect(idsOf(sms)).toEqual([ids.test, ids.sms]);
    expect(sms.rows.map(({ cpr, to, state, sentAt }) => [cpr, to, state, sentAt])).toEqual([
      [null, "+4540123456", 0, null],
      ["610180-1777", "+4540123456", 2, null],
    ]);
    const letters = await log("eboks");
    expect(letters.rows.map((row) => [row.referralId, row.cpr, row.state, row.type])).toEqual([
      [referralId, "610180-1777", 0, 3],
    ]);
  });

  test("each is filtered by number and type; what is no number finds nothing", async () => {
    expect(logTypes.eboks.map(({ value, label }) => `${value} ${label}`)).toEqual([
      "0 Indkald",
      "1 Aftalebrev",
      "2 Xray",
      "3 Faktura",
      "4 Tilbud",
      "5 Udskrivningsbrev",
    ]);
    expect(idsOf(await log("sms", { visitNumber: String(referralId) }))).toEqual([ids.sms]);
    expect(idsOf(await log("sms", { visitNumber: "999999" }))).toEqual([]);
    expect(idsOf(await log("sms", { type: "7" }))).toEqual([ids.test]);
    expect(idsOf(await log("email", { type: 8 }))).toEqual([ids.mail]);
    expect(idsOf(await log("eboks", { type: 3 }))).toEqual([ids.eboks]);
    expect(idsOf(await log("eboks", { type: 2 }))).toEqual([]);
    expect(await log("sms", { visitNumber: "abc" })).toMatchObject({ rows: [], isWrongNumber: true });
  });

  test("pages hold 20, and the API counts all", async () => {
    await inTransaction(portal.db, async (tx) => {
      for (let n = 0; n < 25; n += 1)
        await portal.outboxIn(tx).eboks({ kind: "estimate", to: "610180-1777", title: "T", text: "T" });
    });
    const first = await log("eboks", { type: 4 });
    expect([first.rows.length, first.total, first.pageCount]).toEqual([20, 25, 2]);
    const second = await log("eboks", { type: 4, page: 2, cursor: first.end });
    expect(second.rows).toHaveLength(5);
    const byNumber = await log("eboks", { type: 4, page: 3, pageSize: 10, countsAll: true });
    expect([byNumber.rows.length, byNumber.total]).toEqual([5, 25]);
  });

  test("a preview is without secrets, and the audit says whose message was opened", async () => {
    const mail = await portal.as(admin, readLogMail, { messageId: ids.mail });
    const html = await text(await mail.open());
    expect(html).toContain('<p style="color:red">Hej</p>');
    expect(html).not.toContain("tk=");
    const reset = await portal.as(admin, readLogMail, { messageId: ids.reset });
    expect(await text(await reset.open())).not.toContain("token");
    expect(await portal.as(admin, readLogMessage, { messageId: ids.sms })).toMatchObject({ text: "Ring til os." });
    await portal.audit.flush();
    const events = await portal.db
      .selectFrom("auditEvent")
      .leftJoin("auditReferral", "auditReferral.auditEventId", "auditEvent.id")
      .select(["operation", "referralId"])
      .where("operation", "in", ["readLogMail", "readLogMessage"])
      .orderBy("auditEvent.id")
      .execute();
    expect(events).toEqual([
      { operation: "readLogMail", referralId },
      { operation: "readLogMail", referralId: null },
      { operation: "readLogMessage", referralId },
    ]);
  });

  test("a letter and an unknown number have no preview", async () => {
    for (const messageId of [ids.eboks, 999_999])
      await expect(portal.as(admin, readLogMessage, { messageId })).rejects.toMatchObject({ name: "notInScope" });
    await expect(portal.as(admin, readLogMail, { messageId: ids.sms })).rejects.toMatchObject({ name: "notInScope" });
  });
});

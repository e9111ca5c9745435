import { addMinutes } from "date-fns";
import { expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { countOpenFailures, readOpenFailures } from "~/features/delivery/open-failures.server";
import { toMoment } from "~/text/dates";
import { failuresPortal } from "../../../tests/support/portals/failures-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { resendFailure, settleAsArrived } from "./handle-failure.server";
import { listFailures } from "./failure-list.server";

const EBOKS = 3;

forEachDatabase("failures", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  const { rows, setRow, failures, callUpThat } = failuresPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId } = begun);
  });

  test("a failure says whom, why, and what can be done; a dentist sees none", async () => {
    const id = await callUpThat("failed", { code: 2, reason: "unreachable", detail: "GatewayAPI: UNDELIVERABLE" });
    const { rows: found, open } = await failures();
    expect(open.count).toBe(1);
    expect(found).toMatchObject([
      {
        id,
        referralId,
        patient: { name: "Søren Møller" },
        can: {
          again: true,
          instead: ["eboks", "print"],
          arrived: false,
          handle: true,
          correct: { field: "patientMobilePhone", value: "40 12 34 56" },
          none: null,
        },
      },
    ]);
    await expect(portal.as(dentist, listFailures, { withHandled: false })).rejects.toMatchObject({
      name: "notAllowed",
    });
  });

  test("offers only channels that reach the patient; none for the dead or closed", async () => {
    await callUpThat("failed", { code: 4 }, EBOKS);
    await portal.db.updateTable("referral").set({ patientWithoutEboks: true }).where("id", "=", referralId).execute();
    expect((await failures()).rows[0]!.can).toMatchObject({ again: false, instead: ["sms", "print"] });
    const [row] = await rows();
    await setRow(row!.id, { code: 6, reason: "dead" });
    expect((await failures()).rows[0]!.can).toMatchObject({ again: false, instead: [], none: "gone" });
    await setRow(row!.id, { code: 9, reason: null });
    await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", referralId).execute();
    expect((await failures()).rows[0]!.can).toMatchObject({ again: false, instead: [], none: "closed" });
  });

  test("lists a message overdue by 30 minutes or unanswered for two days", async () => {
    const id = await callUpThat("queued", { attempts: 0 });
    portal.clock.advance({ minutes: 30 });
    portal.cache.invalidate("");
    expect((await failures()).rows).toEqual([]);
    portal.clock.advance({ minutes: 1 });
    portal.cache.invalidate("");
    expect((await failures()).rows).toMatchObject([{ id, can: { again: false, handle: false, none: "waits" } }]);
    await expect(portal.as(admin, resendFailure, { messageId: id, channel: "sms" })).rejects.toMatchObject({
      name: "conflict",
    });
    await setRow(id, { outcome: "awaiting", sentAt: toMoment(portal.clock.now()) });
    portal.cache.invalidate("");
    expect((await failures()).rows).toEqual([]);
    portal.clock.advance({ days: 2, minutes: 1 });
    portal.cache.invalidate("");
    expect((await failures()).rows).toMatchObject([{ id, can: { arrived: true, again: true, handle: false } }]);
    await portal.as(admin, settleAsArrived, { messageId: id });
    expect((await rows())[0]).toMatchObject({ outcome: "sent" });
  });

  test("a channel that is down shows one notice until a message passes through it", async () => {
    await inTransaction(portal.db, async (tx) => {
      for (let n = 0; n < 3; n += 1)
        await portal.outboxIn(tx).sms({ kind: "callUp", to: "+4540123456", referralId, text: "Hej" });
    });
    portal.clock.advance({ minutes: 40 });
    await portal.db.updateTable("outbox").set({ attempts: 1, reason: "noConnection" }).execute();
    portal.cache.invalidate("");
    const { rows: found, down } = await failures();
    expect(found).toEqual([]);
    expect(down).toMatchObject([{ channel: "sms", count: 3, isTried: true, since: "2026-12-01T09:00:00.000Z" }]);
    expect(await countOpenFailures(portal, portal.clock.now())).toBe(1);
    const [one] = await rows();
    await setRow(one!.id, { outcome: "sent", settledAt: toMoment(portal.clock.now()) });
    portal.cache.invalidate("");
    expect((await readOpenFailures(portal, portal.clock.now())).down).toEqual([]);
    expect((await failures()).rows).toHaveLength(2);
  });

  test.each(["receiverDelays", "mailboxFull"])(
    "mails that wait for their receivers (%s) are no outage",
    async (reason) => {
      await inTransaction(portal.db, async (tx) => {
        for (const to of ["en@eksempel.dk", "to@eksempel.dk", "tre@eksempel.dk"])
          await portal.outboxIn(tx).email({ kind: "callUp", to, referralId, subject: "S", text: "T", html: "H" });
      });
      portal.clock.advance({ minutes: 40 });
      const wait = { attempts: 1, reason, notBefore: toMoment(addMinutes(portal.clock.now(), 5)) };
      await portal.db.updateTable("outbox").set(wait).execute();
      portal.cache.invalidate("");
      expect((await failures()).down).toEqual([]);
      await portal.db.updateTable("outbox").set({ reason: "noConnection" }).execute();
      portal.cache.invalidate("");
      expect((await failures()).down).toMatchObject([{ channel: "email", count: 3 }]);
    },
  );

  test("one message kept for 30 minutes by its channel is told as an outage", async () => {
    const id = await callUpThat("queued", { attempts: 0, detail: "ECONNREFUSED", reason: "noConnection" });
    portal.clock.advance({ minutes: 40 });
    await setRow(id, { notBefore: toMoment(portal.clock.now()) });
    await portal.db
      .insertInto("outboxAttempt")
      .values({ outboxId: id, at: "2026-12-01T09:00:00.000Z", outcome: "retry", detail: "ECONNREFUSED" })
      .execute();
    portal.cache.invalidate("");
    expect((await failures()).down).toMatchObject([{ count: 1, isTried: true, since: "2026-12-01T09:00:00.000Z" }]);
  });

  test("is filtered by number, channel and kind, and leaves out test messages to oneself", async () => {
    const id = await callUpThat("failed", { code: 2 });
    await inTransaction(portal.db, async (tx) => {
      await portal.outboxIn(tx).sms({ kind: "testMessage", to: "+4540123456", userId: admin.id, text: "Prøve" });
    });
    await portal.db.updateTable("outbox").set({ outcome: "failed" }).where("kind", "=", "testMessage").execute();
    portal.cache.invalidate("");
    const idsOf = async (more: object) => (await failures(more)).rows.map((row) => row.id);
    expect(await idsOf({})).toEqual([id]);
    expect(await idsOf({ visitNumber: String(referralId), channel: "sms", kind: "callUp" })).toEqual([id]);
    expect(await idsOf({ visitNumber: "999999" })).toEqual([]);
    expect(await idsOf({ channel: "eboks" })).toEqual([]);
    expect(await idsOf({ kind: "invoice" })).toEqual([]);
    expect(await failures({ visitNumber: "abc" })).toMatchObject({ isWrongNumber: true, rows: [] });
  });

  test("a mail to somebody else names the receiver and is not sent again from here", async () => {
    await inTransaction(portal.db, async (tx) => {
      await portal.outboxIn(tx).email({
        kind: "statusNews",
        to: "en@eksempel.dk",
        referralId,
        userId: dentist.id,
        subject: "S",
        text: "T",
        html: "H",
      });
    });
    await portal.db.updateTable("outbox").set({ outcome: "failed", code: 9 }).execute();
    portal.cache.invalidate("");
    const { rows: found } = await failures();
    expect(found).toMatchObject([
      { receiver: `${dentist.firstName} ${dentist.lastName}`, can: { none: "elsewhere", handle: true, again: false } },
    ]);
    await expect(portal.as(admin, resendFailure, { messageId: found[0]!.id, channel: "email" })).rejects.toMatchObject({
      name: "conflict",
    });
  });
});

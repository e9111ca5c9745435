import { subDays } from "date-fns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusing } from "../../../tests/support/refusing-trigger";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { toMoment } from "~/text/dates";
import { readLogMessage } from "~/features/logs/log-list.server";
import { aPerson } from "../../../tests/factories/people";
import { retention } from "./retention";
import { removeExpired } from "./operations.server";

forEachDatabase("what has run out", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  const tidy = () => portal.as({ kind: "system", job: "test" }, removeExpired, {});

  test("links go half a year after they ran out, accesses after five years", async () => {
    const now = portal.clock.now();
    const link = (id: string, expiredBefore: number) => ({
      id,
      purpose: "radiographLink",
      userId: null,
      referralId: null,
      createdAt: toMoment(subDays(now, 400)),
      expiresAt: toMoment(subDays(now, expiredBefore)),
      usedAt: null,
      revokedAt: null,
    });
    await portal.db
      .insertInto("accessToken")
      .values([link("old", retention.links.days + 1), link("kept", retention.links.days - 1)])
      .execute();
    const seen = (daysAgo: number) => ({
      at: toMoment(subDays(now, daysAgo)),
      actorKind: "person",
      actorId: null,
      operation: "readReferral",
      outcome: "done",
      detail: null,
    });
    await portal.db.deleteFrom("auditEvent").execute();
    for (const daysAgo of [retention.audit.days + 2, retention.audit.days + 1, 1]) {
      const { insertId } = await portal.db.insertInto("auditEvent").values(seen(daysAgo)).executeTakeFirstOrThrow();
      await portal.db
        .insertInto("auditReferral")
        .values({ referralId: 7, auditEventId: Number(insertId) })
        .execute();
    }
    const left = async () => [
      (await portal.db.selectFrom("accessToken").select("id").execute()).map(({ id }) => id),
      (await portal.db.selectFrom("auditEvent").select("at").where("operation", "=", "readReferral").execute()).length,
      (await portal.db.selectFrom("auditReferral").select("auditEventId").execute()).length,
    ];
    await tidy();
    expect(await left()).toEqual([["kept"], 1, 1]);
    await tidy();
    expect(await left()).toEqual([["kept"], 1, 1]);
  });

  test("a removal that fails stops no other, and the job has failed", async () => {
    const expiresAt = toMoment(subDays(portal.clock.now(), retention.links.days + 1));
    const link = { purpose: "radiographLink", userId: null, referralId: null, usedAt: null, revokedAt: null };
    await portal.db
      .insertInto("accessToken")
      .values({ id: "due", createdAt: expiresAt, expiresAt, ...link })
      .execute();
    await portal.db
      .insertInto("cacheChange")
      .values({ topic: "t", processId: "p", version: "v", changedAt: "2020-01-01T00:00:00.000Z" })
      .execute();
    const mend = await refusing(portal, "delete", "cacheChange", "1 = 1");
    await expect(tidy()).rejects.toThrow("1 pieces of maintenance failed");
    await mend();
    expect(await portal.db.selectFrom("accessToken").select("id").where("id", "=", "due").execute()).toEqual([]);
    await tidy();
    expect(await portal.db.selectFrom("cacheChange").select("topic").where("processId", "=", "p").execute()).toEqual(
      [],
    );
  });

  test("texts of messages go after two years, seen answers too; the rows stay", async () => {
    const now = portal.clock.now();
    const admin = await aPerson(portal, { role: "Admin" });
    const endedBefore = async (days: number | null) => {
      const id = await portal.db
        .transaction()
        .execute((tx) => portal.outboxIn(tx).sms({ kind: "testMessage", to: "+4540123456", text: "Kære Åse" }));
      const settledAt = days === null ? null : toMoment(subDays(now, days));
      await portal.db.updateTable("outbox").set({ settledAt }).where("id", "=", id).execute();
      return id;
    };
    const [old, retained, waiting] = [
      await endedBefore(retention.texts.days + 1),
      await endedBefore(retention.texts.days - 1),
      await endedBefore(null),
    ];
    const answered = async (eventId: string, state: string) => {
      const content = portal.secrets.encrypt("outbox", "{}");
      const receivedAt = toMoment(subDays(now, retention.texts.days + 1));
      const { insertId } = await portal.db
        .insertInto("deliveryEvent")
        .values({ channel: "sms", eventId, kind: "reply", outboxId: null, receivedAt, contentEncrypted: content })
        .executeTakeFirstOrThrow();
      await portal.db
        .insertInto("incomingSms")
        .values({
          deliveryEventId: Number(insertId),
          receivedAt,
          senderHash: "",
          contentEncrypted: content,
          referralId: null,
          judgement: "none",
          state,
        })
        .execute();
    };
    await answered("settled", "settled");
    await answered("unread", "unread");
    await tidy();
    const texts = await portal.db
      .selectFrom("outbox")
      .select(["id", "hasText"])
      .where("id", "in", [old, retained, waiting])
      .orderBy("id")
      .execute();
    expect(texts).toEqual([
      { id: old, hasText: 0 },
      { id: retained, hasText: 1 },
      { id: waiting, hasText: 1 },
    ]);
    const answers = await portal.db
      .selectFrom("incomingSms")
      .innerJoin("deliveryEvent", "deliveryEvent.id", "incomingSms.deliveryEventId")
      .select(["eventId", "incomingSms.hasText", "deliveryEvent.contentEncrypted as raw"])
      .orderBy("eventId")
      .execute();
    expect(answers).toEqual([
      { eventId: "settled", hasText: 0, raw: null },
      { eventId: "unread", hasText: 1, raw: expect.any(String) },
    ]);
    const read = (messageId: number) => portal.as(admin, readLogMessage, { messageId });
    expect(await read(old)).toMatchObject({ text: null, isRemoved: true });
    expect(await read(retained)).toMatchObject({ text: "Kære Åse", isRemoved: false });
  });
});

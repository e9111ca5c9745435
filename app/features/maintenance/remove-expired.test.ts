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
      user_id: null,
      referral_id: null,
      created_at: toMoment(subDays(now, 400)),
      expires_at: toMoment(subDays(now, expiredBefore)),
      used_at: null,
      revoked_at: null,
    });
    await portal.db
      .insertInto("access_token")
      .values([link("old", retention.links.days + 1), link("kept", retention.links.days - 1)])
      .execute();
    const seen = (daysAgo: number) => ({
      at: toMoment(subDays(now, daysAgo)),
      actor_kind: "person",
      actor_id: null,
      operation: "readReferral",
      outcome: "done",
      detail: null,
    });
    await portal.db.deleteFrom("audit_event").execute();
    for (const daysAgo of [retention.audit.days + 2, retention.audit.days + 1, 1]) {
      const { insertId } = await portal.db.insertInto("audit_event").values(seen(daysAgo)).executeTakeFirstOrThrow();
      await portal.db
        .insertInto("audit_referral")
        .values({ referral_id: 7, audit_event_id: Number(insertId) })
        .execute();
    }
    const left = async () => [
      (await portal.db.selectFrom("access_token").select("id").execute()).map(({ id }) => id),
      (await portal.db.selectFrom("audit_event").select("at").where("operation", "=", "readReferral").execute()).length,
      (await portal.db.selectFrom("audit_referral").select("audit_event_id").execute()).length,
    ];
    await tidy();
    expect(await left()).toEqual([["kept"], 1, 1]);
    await tidy();
    expect(await left()).toEqual([["kept"], 1, 1]);
  });

  test("a removal that fails stops no other, and the job has failed", async () => {
    const expires_at = toMoment(subDays(portal.clock.now(), retention.links.days + 1));
    const link = { purpose: "radiographLink", user_id: null, referral_id: null, used_at: null, revoked_at: null };
    await portal.db
      .insertInto("access_token")
      .values({ id: "due", created_at: expires_at, expires_at, ...link })
      .execute();
    await portal.db
      .insertInto("cache_change")
      .values({ topic: "t", process_id: "p", version: "v", changed_at: "2020-01-01T00:00:00.000Z" })
      .execute();
    const mend = await refusing(portal, "delete", "cache_change", "1 = 1");
    await expect(tidy()).rejects.toThrow("1 pieces of maintenance failed");
    await mend();
    expect(await portal.db.selectFrom("access_token").select("id").where("id", "=", "due").execute()).toEqual([]);
    await tidy();
    expect(await portal.db.selectFrom("cache_change").select("topic").where("process_id", "=", "p").execute()).toEqual(
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
      const settled_at = days === null ? null : toMoment(subDays(now, days));
      await portal.db.updateTable("outbox").set({ settled_at }).where("id", "=", id).execute();
      return id;
    };
    const [old, retained, waiting] = [
      await endedBefore(retention.texts.days + 1),
      await endedBefore(retention.texts.days - 1),
      await endedBefore(null),
    ];
    const answered = async (event_id: string, state: string) => {
      const content = portal.secrets.encrypt("outbox", "{}");
      const received_at = toMoment(subDays(now, retention.texts.days + 1));
      const { insertId } = await portal.db
        .insertInto("delivery_event")
        .values({ channel: "sms", event_id, kind: "reply", outbox_id: null, received_at, content_encrypted: content })
        .executeTakeFirstOrThrow();
      await portal.db
        .insertInto("incoming_sms")
        .values({
          delivery_event_id: Number(insertId),
          received_at,
          sender_hash: "",
          content_encrypted: content,
          referral_id: null,
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
      .select(["id", "has_text"])
      .where("id", "in", [old, retained, waiting])
      .orderBy("id")
      .execute();
    expect(texts).toEqual([
      { id: old, has_text: 0 },
      { id: retained, has_text: 1 },
      { id: waiting, has_text: 1 },
    ]);
    const answers = await portal.db
      .selectFrom("incoming_sms")
      .innerJoin("delivery_event", "delivery_event.id", "incoming_sms.delivery_event_id")
      .select(["event_id", "incoming_sms.has_text", "delivery_event.content_encrypted as raw"])
      .orderBy("event_id")
      .execute();
    expect(answers).toEqual([
      { event_id: "settled", has_text: 0, raw: null },
      { event_id: "unread", has_text: 1, raw: expect.any(String) },
    ]);
    const read = (messageId: number) => portal.as(admin, readLogMessage, { messageId });
    expect(await read(old)).toMatchObject({ text: null, isRemoved: true });
    expect(await read(retained)).toMatchObject({ text: "Kære Åse", isRemoved: false });
  });
});

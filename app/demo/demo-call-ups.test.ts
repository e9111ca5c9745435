import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { setStatus } from "~/features/referrals/status/set-status.server";
import type { SmsGateway } from "~/gateways/sms/port";
import { aClinic, aPerson } from "../../tests/factories/people";
import { aReferral } from "../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { createDemoProviders } from "./demo-providers.server";
import { createStoryClock, playInOrder } from "./demo-scenario.server";
import { waitingCallUps } from "./demo-waiting-call-ups.server";

forEachDatabase("the demo's call-ups", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let handedOver = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    for (let n = 0; n < 12; n += 1) {
      const referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
      const { statusVersion: version } = await portal.db
        .selectFrom("referral")
        .select("statusVersion")
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow();
      await portal.as(admin, setStatus, { referralId, seenVersion: version, status: n < 8 ? 3 : 14 });
    }
    const clock = createStoryClock(portal.clock.now());
    const count: SmsGateway["send"] = async () => {
      handedOver += 1;
      return { outcome: "sent", detail: "" };
    };
    const past = { ...portal, clock, sms: { ...portal.sms, send: count } };
    const providers = createDemoProviders(past, clock);
    await playInOrder(clock, [waitingCallUps({ providers, by: admin, waiting: { has: () => true } })], () =>
      Promise.resolve(),
    );
  });
  afterAll(() => portal.close());

  test("stand in every state, as operations and the outbox leave them", async () => {
    const callUps = await portal.db
      .selectFrom("callUp")
      .innerJoin("outbox", "outbox.id", "callUp.outboxId")
      .innerJoin("referral", "referral.id", "callUp.referralId")
      .select(["channel", "outcome", "code", "referral.callUpStatus", "referral.status"])
      .orderBy("callUp.id")
      .execute();
    const expected = (channel: string, outcome: string, code: number, callUpStatus: number, status: number) => ({
      channel,
      outcome,
      code,
      callUpStatus,
      status,
    });
    expect(callUps).toEqual([
      expected("print", "failed", 10, 4, 3),
      expected("print", "sent", 3, 3, 5),
      expected("print", "sent", 3, 3, 5),
      expected("sms", "failed", 2, 2, 3),
      expected("sms", "unknown", 2, 2, 3),
      expected("eboks", "failed", 4, 2, 3),
      expected("sms", "failed", 6, 2, 3),
      expected("eboks", "awaiting", 2, 1, 3),
      expected("print", "queued", 0, 1, 3),
      expected("print", "queued", 0, 1, 14),
      expected("print", "queued", 0, 1, 3),
    ]);
  });

  test("one batch is printed, another is not, and a letter waits for the next", async () => {
    const batches = await portal.db
      .selectFrom("letterBatch")
      .select(["printedAt", "pageCount"])
      .orderBy("id")
      .execute();
    expect(batches).toEqual([
      { printedAt: expect.any(String) as string, pageCount: 3 },
      { printedAt: null, pageCount: 3 },
    ]);
    const live = await portal.db.selectFrom("letterBatchItem").select("liveOutboxId").execute();
    expect(live.filter(({ liveOutboxId: id }) => id !== null)).toHaveLength(2);
  });

  test("each letter that left has its PDF, and no provider was asked", async () => {
    const files = await portal.db
      .selectFrom("callUp")
      .innerJoin("outbox", "outbox.id", "callUp.outboxId")
      .innerJoin("storedFile", "storedFile.id", "callUp.storedFileId")
      .select("storageKey")
      .where("outcome", "in", ["sent", "awaiting"])
      .execute();
    expect(files).toHaveLength(3);
    for (const { storageKey: key } of files) expect(await portal.files.size(key)).toBeGreaterThan(1000);
    expect(handedOver).toBe(0);
  });
});

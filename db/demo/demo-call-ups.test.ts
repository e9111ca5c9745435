import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { setStatus } from "~/features/referrals/status/set-status.server";
import type { SmsGateway } from "~/gateways/sms/port";
import { aClinic, aPerson } from "../../tests/factories/people";
import { aReferral } from "../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { createDemoProviders } from "./demo-providers.server";
import { createStoryClock, playInOrder } from "./demo-scenario";
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
      const { status_version: version } = await portal.db
        .selectFrom("referral")
        .select("status_version")
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
      .selectFrom("call_up")
      .innerJoin("outbox", "outbox.id", "call_up.outbox_id")
      .innerJoin("referral", "referral.id", "call_up.referral_id")
      .select(["channel", "outcome", "code", "referral.call_up_status", "referral.status"])
      .orderBy("call_up.id")
      .execute();
    const expected = (channel: string, outcome: string, code: number, callUpStatus: number, status: number) => ({
      channel,
      outcome,
      code,
      call_up_status: callUpStatus,
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
      .selectFrom("letter_batch")
      .select(["printed_at", "page_count"])
      .orderBy("id")
      .execute();
    expect(batches).toEqual([
      { printed_at: expect.any(String) as string, page_count: 3 },
      { printed_at: null, page_count: 3 },
    ]);
    const live = await portal.db.selectFrom("letter_batch_item").select("live_outbox_id").execute();
    expect(live.filter(({ live_outbox_id: id }) => id !== null)).toHaveLength(2);
  });

  test("each letter that left has its PDF, and no provider was asked", async () => {
    const files = await portal.db
      .selectFrom("call_up")
      .innerJoin("outbox", "outbox.id", "call_up.outbox_id")
      .innerJoin("stored_file", "stored_file.id", "call_up.stored_file_id")
      .select("storage_key")
      .where("outcome", "in", ["sent", "awaiting"])
      .execute();
    expect(files).toHaveLength(3);
    for (const { storage_key: key } of files) expect(await portal.files.size(key)).toBeGreaterThan(1000);
    expect(handedOver).toBe(0);
  });
});

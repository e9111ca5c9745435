import { subDays } from "date-fns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { toMoment } from "~/text/dates";
import { kept } from "./kept";
import { removeExpired } from "./remove-expired.server";

forEachDatabase("what has run out", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  const tidy = () => portal.as({ kind: "system", job: "test" }, removeExpired, {});

  test("links go half a year after they ran out, and who saw what after five years, oldest first", async () => {
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
      .values([link("old", kept.links.days + 1), link("kept", kept.links.days - 1)])
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
    for (const daysAgo of [kept.audit.days + 2, kept.audit.days + 1, 1]) {
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
});

import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Updateable } from "kysely";
import type { Database } from "~db/schema";
import type { Person } from "~/access/actor";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { toMoment } from "~/text/dates";
import { listFailures } from "~/features/logs/failure-list.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

export const SMS = 2;

/** What `begun` is handed before each test. */
interface Begun {
  portal: TestPortal;
  admin: Person;
  /** Another administrator. */
  other: Person;
  dentist: Person;
  /** A referral of the test's own, in status 3, whose patient has a mobile phone. */
  referralId: number;
}

/** A portal without messages and with a new referral before each test of one file; what is answered here is about that referral. */
export function failuresPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let admin: Person;
  let other: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    other = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    portal.cache.invalidate("");
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
    await portal.db.updateTable("referral").set({ status: 3 }).where("id", "=", referralId).execute();
    begun({ portal, admin, other, dentist, referralId });
  });

  const rows = () => portal.db.selectFrom("outbox").selectAll().where("kind", "=", "callUp").orderBy("id").execute();
  const referral = () =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  const setRow = (id: number, values: Updateable<Database["outbox"]>) =>
    portal.db.updateTable("outbox").set(values).where("id", "=", id).execute();
  const failures = (more: object = {}) => portal.as(admin, listFailures, { withHandled: false, ...more });

  /** A call-up that was queued and came to this end. */
  async function callUpThat(
    outcome: "failed" | "unknown" | "awaiting" | "queued",
    values: Updateable<Database["outbox"]> = {},
    type = SMS,
  ): Promise<number> {
    await portal.as(admin, sendCallUp, {
      referralId,
      patientAddress: "Åvej 1",
      patientZip: "8000",
      patientCity: "Aarhus",
      patientMobilePhone: "40 12 34 56",
      incallType: type,
    });
    const { id } = (await rows()).at(-1)!;
    const at = toMoment(portal.clock.now());
    const isSettled = outcome === "failed" || outcome === "unknown";
    await setRow(id, { outcome, attempts: 1, ...(isSettled ? { settledAt: at } : {}), ...values });
    if (isSettled)
      await portal.db.updateTable("callUp").set({ plannedReferralId: null }).where("outboxId", "=", id).execute();
    portal.cache.invalidate("");
    return id;
  }

  return { rows, referral, setRow, failures, callUpThat };
}

import { expect, test } from "vitest";
import { aPerson } from "../../../tests/factories/people";
import { openReferralPortal } from "../../../tests/support/portals/open-referral-portal";
import { recordStatements } from "../../../tests/support/record-statements";
import { forEachDatabase } from "../../../tests/support/test-portal";
import { readOpenReferral } from "./data.server";

forEachDatabase("the open referral's page", (dialect) => {
  let given: Parameters<Parameters<typeof openReferralPortal>[1]>[0];
  const { set } = openReferralPortal(dialect, (begun) => {
    given = begun;
  });

  test("staff's page takes at most 31 statements and one audit event", async () => {
    const { portal, admin, surgeon, referralId } = given;
    const creator = await aPerson(portal, { role: "Secretary" });
    await set({ surgeonId: surgeon.id, creatorId: creator.id, modifierId: admin.id });
    // What the portal caches is read by somebody else first.
    await portal.as(surgeon, readOpenReferral, { referralId });
    const { db, recorded } = recordStatements(portal.db);
    const page = await { ...portal, db }.as(admin, readOpenReferral, { referralId });
    expect(page).toMatchObject({ id: referralId, toPatient: { callUp: { referralId } } });
    expect(recorded.length).toBeLessThanOrEqual(31);
    await portal.audit.flush();
    const events = await portal.db
      .selectFrom("auditEvent")
      .innerJoin("auditReferral", "auditReferral.auditEventId", "auditEvent.id")
      .select("auditEvent.operation")
      .where("auditReferral.referralId", "=", referralId)
      .where("auditEvent.outcome", "=", "seen")
      .where("auditEvent.actorId", "=", admin.id)
      .execute();
    expect(events).toEqual([{ operation: "readOpenReferral" }]);
  });
});

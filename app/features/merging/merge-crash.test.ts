// @module-tag matrix
import { expect, test } from "vitest";
import { aClinic } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { countStatistics, storedStatistics } from "../../../tests/support/count-statistics";
import { mergingPortal } from "../../../tests/support/portals/merging-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { findDuplicateUsers } from "./store.server";

forEachDatabase("merging", (dialect) => {
  let portal: TestPortal;
  const { somebody, merge, moveAll, newestRun } = mergingPortal(dialect, (opened) => {
    ({ portal } = opened);
  });

  test("continues after being killed, moves nothing twice, suggests duplicates", async () => {
    const clinicId = await aClinic(portal);
    const [winner, loser] = [await somebody([clinicId]), await somebody([clinicId])];
    await portal.db.updateTable("user").set({ email: winner.email.toUpperCase() }).where("id", "=", loser.id).execute();
    const staff = ["Admin", "Surgeon"];
    expect(await findDuplicateUsers(portal.db, winner.id, staff)).toEqual([
      { id: loser.id, knownAs: loser.userName, why: "dentistId" },
    ]);
    await portal.db.updateTable("user").set({ dentistExternalId: null }).where("id", "=", loser.id).execute();
    expect(await findDuplicateUsers(portal.db, winner.id, staff)).toMatchObject([{ why: "email" }]);
    const ids = [await aReferral(portal, loser), await aReferral(portal, loser)];
    await merge(winner, [loser]);
    expect(await findDuplicateUsers(portal.db, loser.id, staff), "of who was merged").toEqual([]);
    const child = await buildChild();
    const now = portal.clock.now().toISOString();
    const run = (dieBefore: number) =>
      runChild(child, portal.config, { now, dieBefore, steps: [{ does: "moveMerged" }] }, {});
    for (const dieBefore of [6, 9, 14, 18]) expect((await run(dieBefore)).signal).toBe("SIGKILL");
    await moveAll();
    const rows = await portal.db
      .selectFrom("referral")
      .select(["referrerId", "creatorId"])
      .where("id", "in", ids)
      .execute();
    expect(rows).toEqual(ids.map(() => ({ referrerId: winner.id, creatorId: winner.id })));
    const moved = portal.db
      .selectFrom("mergeMoved")
      .select("rowId")
      .where("runId", "=", (await newestRun()).id);
    expect(await moved.where("place", "=", "referral.referrer_id").orderBy("rowId").execute()).toEqual(
      ids.map((id) => ({ rowId: id })),
    );
    expect(await storedStatistics(portal.db)).toEqual(await countStatistics(portal.db));
  });
});

import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { moveOn } from "~/features/referrals/status/move-on.server";
import { statusPortal } from "../../../../tests/support/portals/status-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { withinChange } from "../../../../tests/support/within-change";
import { setStatus } from "./set-status.server";
import { setStatuses, undoStatuses } from "./set-statuses.server";

forEachDatabase("a status that the portal has moved", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const { rowOf, several, change } = statusPortal(dialect, (given) => {
    ({ portal, admin } = given);
  });

  /** The status changed after a call-up was sent; the referral's page was loaded before. */
  async function movedOn() {
    const [id] = await several(1);
    await change(id!, 3);
    const { statusVersion: opened } = await rowOf(id!);
    const system = { kind: "system", job: "test" } as const;
    portal.clock.advance({ minutes: 1 });
    await portal.as(
      system,
      withinChange((context) => moveOn(context, id!, { from: 3, to: 5 })),
      {},
    );
    return { id: id!, opened };
  }

  test("GEM on the page from before is a conflict that names the portal", async () => {
    const { id, opened } = await movedOn();
    const late = portal.as(admin, setStatus, { referralId: id, status: 15, seenVersion: opened });
    await expect(late).rejects.toMatchObject({
      name: "conflict",
      text: expect.stringMatching(/er nu .+ \(Systemet\)/),
    });
    expect((await rowOf(id)).status).toBe(5);
  });

  test("a mass change leaves the referral out and lists it", async () => {
    const { id, opened } = await movedOn();
    const { to } = await portal.as(admin, setStatuses, { status: 15, pick: [`${id}:${opened}`] });
    const massChangeId = Number(/skiftet=(\d+)/.exec(to!)![1]);
    const done = await portal.db
      .selectFrom("massChange")
      .select(["changed", "leftOut"])
      .where("id", "=", massChangeId)
      .executeTakeFirst();
    expect(done).toEqual({ changed: 0, leftOut: String(id) });
    expect((await rowOf(id)).status).toBe(5);
  });

  test("undoing the change before it changes nothing and says so", async () => {
    const [id] = await several(1);
    const { flash } = await change(id!, 3);
    const system = { kind: "system", job: "test" } as const;
    await portal.as(
      system,
      withinChange((context) => moveOn(context, id!, { from: 3, to: 5 })),
      {},
    );
    const undone = await portal.as(admin, undoStatuses, { ...flash!.undo!.fields, to: "/management/overview" });
    expect(undone.flash).toMatchObject({ tone: "error", text: expect.stringContaining("Intet er fortrudt") });
    expect((await rowOf(id!)).status).toBe(5);
  });
});

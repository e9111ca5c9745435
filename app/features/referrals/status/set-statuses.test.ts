import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { removeExpired } from "~/features/maintenance/operations.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { sealFilter } from "~/lists/filter.server";
import { statusPortal } from "../../../../tests/support/portals/status-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readMassChange, setAllStatuses, setStatuses, undoStatuses } from "./set-statuses.server";

forEachDatabase("setting a status", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  const { rowOf, logOf, several, change, mailReferrer, mails } = statusPortal(dialect, (given) => {
    ({ portal, admin, surgeon } = given);
  });

  const statusesOf = async (ids: number[]) => Promise.all(ids.map(async (id) => (await rowOf(id)).status));
  const massIdIn = (to: string | undefined) => Number(/skiftet=(\d+)/.exec(to ?? "")?.[1]);

  describe("mass changes", () => {
    const picks = async (ids: number[]) =>
      Promise.all(ids.map(async (id) => `${id}:${(await rowOf(id)).statusVersion}`));

    test("changes the referrals whose versions match, and lists the others", async () => {
      const ids = await several(3);
      const pick = await picks(ids);
      await change(ids[1]!, 8, surgeon);
      const { to } = await portal.as(admin, setStatuses, { status: 3, pick, here: "/management/overview?sort=1" });
      expect(to).toMatch(/^\/management\/overview\?sort=1&skiftet=\d+$/);
      expect(await statusesOf(ids)).toEqual([3, 8, 3]);
      expect(await readMassChange(portal, admin, massIdIn(to))).toMatchObject({
        changed: 2,
        status: 3,
        leftOut: [ids[1]],
        isUndone: false,
      });
      expect(await readMassChange(portal, surgeon, massIdIn(to))).toBeNull();
      expect((await logOf(ids[0]!)).at(-1)).toMatchObject({ status: 3, modifierName: "Åse Kjær chef" });
      await expect(portal.as(admin, setStatuses, { status: 3 })).rejects.toMatchObject({ name: "invalid" });
    });

    test("undoing leaves and names the referrals that somebody has changed since", async () => {
      const ids = await several(3);
      await change(ids[0]!, 4);
      const since = (await rowOf(ids[0]!)).statusSince;
      portal.clock.advance({ minutes: 5 });
      const { to } = await portal.as(admin, setStatuses, { status: 3, pick: await picks(ids) });
      await change(ids[2]!, 6, surgeon);
      await portal.as(admin, undoStatuses, { massChangeId: massIdIn(to) });
      expect(await statusesOf(ids)).toEqual([4, 0, 6]);
      expect((await rowOf(ids[0]!)).statusSince).toBe(since);
      expect(await readMassChange(portal, admin, massIdIn(to))).toMatchObject({ isUndone: true, leftOut: [ids[2]] });
      await portal.as(admin, undoStatuses, { massChangeId: massIdIn(to) });
      expect(await statusesOf(ids)).toEqual([4, 0, 6]);
      expect((await logOf(ids[1]!)).at(-1)).toMatchObject({ status: 0, event: "Fortrudt" });
    });

    test("can be undone for a day", async () => {
      const [id] = await several(1);
      const { to } = await portal.as(admin, setStatuses, { status: 3, pick: await picks([id!]) });
      const tidy = async () => portal.as({ kind: "system", job: "worker" }, removeExpired, {});
      portal.clock.advance({ hours: 23 });
      await tidy();
      expect(await readMassChange(portal, admin, massIdIn(to))).not.toBeNull();
      portal.clock.advance({ hours: 2 });
      await tidy();
      expect(await readMassChange(portal, admin, massIdIn(to))).toBeNull();
      expect(await portal.db.selectFrom("massChangeRow").select("referralId").execute()).toEqual([]);
      await expect(portal.as(admin, undoStatuses, { massChangeId: massIdIn(to) })).rejects.toMatchObject({
        name: "conflict",
        text: "Ændringen kan ikke længere fortrydes.",
      });
    });

    test("undone within the minute, no mail; later, a mail with the present status", async () => {
      const [early, late, replaced] = await several(3);
      for (const id of [early!, late!, replaced!]) await mailReferrer(id);
      await change(replaced!, 4);
      const { to } = await portal.as(admin, setStatuses, { status: 3, pick: await picks([early!, late!, replaced!]) });
      await portal.db
        .updateTable("outbox")
        .set({ outcome: "sent", attempts: 1 })
        .where("referralId", "=", late!)
        .execute();
      await portal.as(admin, undoStatuses, { massChangeId: massIdIn(to) });
      expect(await mails(early!)).toEqual([]);
      expect((await mails(late!)).map(({ text }) => /Status i [^:]*: ([^.]*)/.exec(text)?.[1])).toEqual([
        "Klar til indkaldelse",
        "Afventer visitering",
      ]);
      expect((await mails(replaced!)).map(({ text }) => /Status i [^:]*: ([^.]*)/.exec(text)?.[1])).toEqual([
        "Afventer yderligere materiale",
      ]);
    });

    test("changes all that match a filter if their number is the confirmed one", async () => {
      const ids = await several(3);
      for (const id of ids) await change(id, 14);
      const f = sealFilter(overview, portal.secrets, admin, { statuses: [14] });
      await expect(portal.as(admin, setAllStatuses, { status: 3, f, count: 2 })).rejects.toMatchObject({
        name: "conflict",
        text: expect.stringContaining("nu 3 henvisninger"),
      });
      expect(await statusesOf(ids)).toEqual([14, 14, 14]);
      await portal.as(admin, setAllStatuses, { status: 3, f, count: 3 });
      expect(await statusesOf(ids)).toEqual([3, 3, 3]);
    });
  });
});

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { systemCaller } from "~/access/system-caller";
import { aReferral } from "../../../../tests/factories/referrals";
import { loggedEvents } from "../../../../tests/support/logged-events";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { declineMaterial } from "./answer-material.server";
import { askForMaterial, remindOfMaterials } from "./ask-for-material.server";

forEachDatabase("a reminder of missing material", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let id: number;
  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    // A Tuesday.
    portal.clock.set("2026-12-01T09:00:00.000Z");
    id = await aReferral(portal, dentist);
    await portal.as(admin, askForMaterial, { referralId: id, kinds: ["panorama"] });
  });

  const work = () => remindOfMaterials(portal, systemCaller("job"));
  const at = async (moment: string) => {
    portal.clock.set(moment);
    await work();
    await work();
  };
  async function reminders() {
    const rows = await portal.db
      .selectFrom("outbox")
      .selectAll()
      .where("referralId", "=", id)
      .where("kind", "=", "materialReminder")
      .execute();
    return rows.map((row) => unsealMessage(portal.secrets, row));
  }

  test("goes after seven days and a week after that, once each, in office hours", async () => {
    await at("2026-12-07T12:00:00.000Z");
    expect(await reminders(), "six days").toEqual([]);
    await at("2026-12-09T05:30:00.000Z");
    expect(await reminders(), "before eight").toEqual([]);
    await at("2026-12-12T12:00:00.000Z");
    expect(await reminders(), "on a Saturday").toEqual([]);
    await at("2026-12-14T08:00:00.000Z");
    const [first, ...more] = await reminders();
    expect([first?.to, more]).toEqual([dentist.email, []]);
    expect(first?.content).toContain(`Henvisning nr. ${id} mangler stadig materiale`);
    expect(await loggedEvents(portal.db, id)).toContain("Mindet om manglende materiale");
    await at("2026-12-18T08:00:00.000Z");
    expect(await reminders(), "a week apart, also where the first was late").toHaveLength(1);
    await at("2026-12-22T08:00:00.000Z");
    await at("2027-03-16T08:00:00.000Z");
    expect(await reminders()).toHaveLength(2);
  });

  test("does not go once it is answered, or the status is another", async () => {
    const { material } = await portal.as(dentist, readReferral, { referralId: id });
    await portal.as(dentist, declineMaterial, {
      referralId: id,
      lineId: material!.lines[0]!.id,
      reply: "Er ikke taget",
    });
    await at("2026-12-09T09:00:00.000Z");
    expect(await reminders()).toEqual([]);
    id = await aReferral(portal, dentist);
    await portal.as(admin, askForMaterial, { referralId: id, kinds: ["panorama"] });
    const seenVersion = (await portal.as(admin, readReferral, { referralId: id })).statusVersion;
    await portal.as(admin, setStatus, { referralId: id, status: 2, seenVersion });
    await at("2026-12-17T09:00:00.000Z");
    expect(await reminders()).toEqual([]);
  });

  test("goes after the days that the clinic has set, and never with 0", async () => {
    await portal.as(admin, saveNamesAndDeadlines, { daysToMaterialReminder1: "2", daysToMaterialReminder2: "0" });
    await at("2026-12-04T09:00:00.000Z");
    await at("2027-03-16T08:00:00.000Z");
    expect(await reminders()).toHaveLength(1);
    await portal.as(admin, saveNamesAndDeadlines, {});
  });
});

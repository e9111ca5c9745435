import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { readUrgentAdvice } from "~/features/portal-texts/operations.server";
import { aReferral } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readNamesAndDeadlines, saveOpeningHours } from "./save-names-and-deadlines.server";

forEachDatabase("the clinic's opening hours", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());

  const opening = async (now: string) => (await readUrgentAdvice(portal.db, portal.config, new Date(now))).opening;

  test("are nowhere until they are saved, and are read back as they are shown", async () => {
    expect(await opening("2026-11-30T10:00:00Z")).toBe(null);
    await portal.as(admin, saveOpeningHours, { openingHours1: "8-15.30", closedDays: "7/12-2026 Kursus" });
    expect((await portal.as(admin, readNamesAndDeadlines, {})).opening).toMatchObject({
      openingHours1: "8–15.30",
      openingHours2: "",
      closedDays: "7/12-2026 Kursus",
    });
    expect((await opening("2026-11-30T10:00:00Z"))?.isOpen).toBe(true);
    expect((await opening("2026-11-30T14:30:00Z"))?.next?.day).toBe("2026-12-14");
  });

  test("are refused where a time or a day is none", async () => {
    const typed = { openingHours1: "altid", closedDays: "jul" };
    await expect(portal.as(admin, saveOpeningHours, typed)).rejects.toMatchObject({
      name: "invalid",
      fields: {
        openingHours1: ["Skriv åbningstiden som 8–16 eller 8.30–15.30."],
        closedDays: ["Begynd hver linje med en dato som dd.mm.åååå: jul"],
      },
    });
  });

  test("deadlines end on no closed day", async () => {
    const due = async () => {
      const id = await aReferral(portal, dentist);
      const { nextDueOn } = await portal.db
        .selectFrom("referral")
        .select("nextDueOn")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return nextDueOn;
    };
    const before = await due();
    await portal.as(admin, saveOpeningHours, { closedDays: before });
    expect((await due()) > before).toBe(true);
  });
});

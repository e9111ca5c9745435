import { subDays } from "date-fns";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aClinic, aPerson } from "../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { Person, Role } from "./actor";
import { tokenHash } from "./secrets.server";
import { addFlash, beginSession, findSession, touchSession } from "./sessions.server";
import { clearShownOnce, endSession, endSessionsOf, removeExpiredSessions } from "./session-store.server";

forEachDatabase("sessions", (dialect) => {
  let portal: TestPortal;
  let clinics: number[];
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    clinics = [await aClinic(portal), await aClinic(portal)];
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: clinics });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("session").execute();
  });

  const begin = (person: Person, restored: string | null = null) =>
    beginSession(portal.db, person, portal.clock.now(), { pendingForm: restored });
  const find = (token: string) => findSession(portal, token, portal.clock.now());

  test("a session resolves to its person, with roles and clinics", async () => {
    const { token } = await begin(dentist);
    expect((await find(token))?.person).toEqual({ ...dentist, clinicIds: expect.arrayContaining(clinics) as number[] });
    expect(await find(`${token}x`)).toBeNull();
    expect(await find("")).toBeNull();
  });

  test("stores only the token's hash", async () => {
    const { token } = await begin(dentist);
    const rows = await portal.db.selectFrom("session").selectAll().execute();
    expect(rows.map(({ id }) => id)).toEqual([tokenHash(token)]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await find(tokenHash(token))).toBeNull();
  });

  test.each<[Role, number]>([
    ["Admin", 2],
    ["Surgeon", 2],
    ["Secretary", 12],
    ["Dentist Secretary", 12],
    ["Dentist", 12],
  ])("%s idles out after %i hours, counted from the last use", async (role, hours) => {
    const { token } = await begin(await aPerson(portal, { role }));
    portal.clock.advance({ hours, minutes: -1 });
    const session = await find(token);
    expect(await touchSession(portal.db, session!, portal.clock.now())).toBe(true);
    portal.clock.advance({ hours, minutes: -0.001 });
    expect(await find(token)).not.toBeNull();
    portal.clock.advance({ minutes: 0.001 });
    expect(await find(token)).toBeNull();
  });

  test("expires without use, and is updated at most once a minute", async () => {
    const { token } = await begin(dentist);
    portal.clock.advance({ minutes: 0.9 });
    expect(await touchSession(portal.db, (await find(token))!, portal.clock.now())).toBe(false);
    portal.clock.set("2026-12-01T21:00:00.000Z");
    expect(await find(token)).toBeNull();
  });

  test("deactivating a person signs them out at once", async () => {
    const person = await aPerson(portal, { role: "Dentist" });
    const { token } = await begin(person);
    await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();
    expect(await find(token)).toBeNull();
  });

  test("a changed role applies from the next request", async () => {
    const person = await aPerson(portal, { role: "Dentist" });
    const { token } = await begin(person);
    await portal.db.updateTable("userRole").set({ role: "Admin" }).where("userId", "=", person.id).execute();
    expect((await find(token))?.person.roles).toEqual(["Admin"]);
  });

  test("ends all of a person's sessions but one, and no other person's", async () => {
    const other = await aPerson(portal, { role: "Dentist" });
    const [kept, ended, foreign] = [await begin(dentist), await begin(dentist), await begin(other)];
    await endSessionsOf(portal.db, dentist.id, tokenHash(kept.token));
    expect(
      [await find(kept.token), await find(ended.token), await find(foreign.token)].map((found) => found !== null),
    ).toEqual([true, false, true]);
    await endSessionsOf(portal.db, dentist.id, null);
    expect(await find(kept.token)).toBeNull();
    await endSession(portal.db, tokenHash(foreign.token));
    expect(await find(foreign.token)).toBeNull();
  });

  test("removes sessions that expired before a moment, and keeps those of pending forms", async () => {
    await begin(await aPerson(portal, { role: "Admin" }));
    const { token } = await begin(dentist);
    portal.clock.advance({ days: 7, hours: 2 });
    await removeExpiredSessions(portal.db, subDays(portal.clock.now(), 7));
    expect(await portal.db.selectFrom("session").select("id").execute()).toEqual([{ id: tokenHash(token) }]);
  });

  test("a waiting message is sealed, and readable in its own session alone", async () => {
    const [one, other] = [tokenHash((await begin(dentist)).token), await begin(dentist)];
    const flash = { tone: "success" as const, text: "Henvisningen af Jens Hansen er sendt." };
    await addFlash(portal.db, portal.secrets, { sessionId: one, flash });
    const rows = await portal.db.selectFrom("session").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("Jens Hansen");
    const { flashSealed: sealed } = rows.find(({ id }) => id === one)!;
    await portal.db.updateTable("session").set({ flashSealed: sealed }).execute();
    expect((await find(other.token))!.flash.messages).toEqual([]);
  });

  test("keeps the five newest flash messages, and a pending form to restore once", async () => {
    const { token } = await begin(dentist, "forseglet");
    const id = tokenHash(token);
    for (const text of ["1", "2", "3", "4", "5", "Gemt: æøå"])
      await addFlash(portal.db, portal.secrets, { sessionId: id, flash: { tone: "success", text } });
    const once = (await find(token))!.flash;
    expect(once.messages.map(({ text }) => text)).toEqual(["2", "3", "4", "5", "Gemt: æøå"]);
    expect(once).toMatchObject({ pendingForm: "forseglet", infoPopupSeen: false });
    await clearShownOnce(portal.db, id, ["flashSealed"]);
    expect((await find(token))!.flash).toEqual({
      messages: [],
      pendingForm: "forseglet",
      infoPopupSeen: false,
      showCallUpStats: true,
    });
  });
});

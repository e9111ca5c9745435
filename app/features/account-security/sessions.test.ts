import { expect, test } from "vitest";
import { tokenHash } from "~/access/secrets.server";
import { beginSession, findSession } from "~/access/sessions.server";
import { accountsPortal, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { endOtherSessions, endOwnSession, readSecurity } from "./operations.server";

const currentPassword = PASSWORD;

forEachDatabase("sessions", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { somebody, session } = accountsPortal(dialect, (opened) => {
    portal = opened;
  });

  test("sessions are listed with their device, and each ends with the password alone", async () => {
    const [person, stranger] = [await somebody(), await somebody()];
    const mine = tokenHash(await session(person));
    const { token } = await beginSession(portal.db, person, portal.clock.now(), { device: "Safari på iPhone" });
    const others = tokenHash(await session(stranger));
    const read = () => portal.as(person, readSecurity, {}, { sessionId: mine });
    const { factor, sessions } = await read();
    expect(factor).toMatchObject({ isOn: false, isRequired: false });
    expect(sessions).toHaveLength(2);
    const phone = sessions.find(({ isThis }) => !isThis)!;
    expect(phone.deviceName).toBe("Safari på iPhone");
    const end = (handle: string, more: object = { currentPassword }) =>
      portal.as(person, endOwnSession, { session: handle, ...more }, { sessionId: mine });
    await expect(end(phone.handle, {})).rejects.toMatchObject({ name: "wrongCurrentPassword" });
    await end(others.slice(0, 16));
    await end(mine.slice(0, 16));
    await end(phone.handle);
    expect((await read()).sessions.map(({ isThis }) => isThis)).toEqual([true]);
    expect(await findSession(portal, token, portal.clock.now())).toBeNull();
    await session(person);
    await portal.as(person, endOtherSessions, { currentPassword }, { sessionId: mine });
    expect((await read()).sessions).toHaveLength(1);
    expect(await portal.db.selectFrom("session").select("id").where("userId", "=", stranger.id).execute()).toHaveLength(
      1,
    );
  });
});

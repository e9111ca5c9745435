import { addDays, addMinutes } from "date-fns";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import { aClinic, aPerson } from "../../tests/factories/people";
import { aReferral } from "../../tests/factories/referrals";
import { recordStatements } from "../../tests/support/record-statements";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { LinkPurpose } from "./actor";
import { findPatientLink, issuePatientLink, patientCaller, revokePatientLinks } from "./patient-links.server";
import { markRenewed } from "./patient-link-store.server";
import { tokenHash } from "./secrets.server";

forEachDatabase("patients' links", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let referralId: number;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    referralId = await aReferral(portal, dentist, {});
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("accessToken").execute();
    await portal.db.deleteFrom("throttle").execute();
  });

  const issue = (
    purpose: LinkPurpose = "radiographLink",
    about: { letterNumber?: number; operationMoment?: string } = {},
  ) => {
    const now = portal.clock.now();
    return inTransaction(portal.db, (tx) =>
      issuePatientLink(tx, { purpose, referralId, ...about }, { now, expiresAt: addDays(now, 30) }),
    );
  };
  const find = (token: string, purpose: LinkPurpose = "radiographLink") =>
    findPatientLink(portal.db, { token, purpose, now: portal.clock.now() });
  const exchange = (token: string) => {
    const now = portal.clock.now();
    return inTransaction(portal.db, (tx) =>
      markRenewed(tx, token, "radiographLink", { now, oldest: addDays(now, -1) }),
    );
  };

  test("a token opens only what it was made for, and only its hash is stored", async () => {
    const token = await issue("letterFilesLink", { letterNumber: 2 });
    expect(await find(token, "letterFilesLink")).toEqual({
      kind: "patientToken",
      referralId,
      purpose: "letterFilesLink",
      letterNumber: 2,
      operationMoment: null,
    });
    const rows = await portal.db.selectFrom("accessToken").selectAll().execute();
    expect(rows.map(({ id }) => id)).toEqual([tokenHash(token)]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("a guessed, cut or lengthened token and another purpose's open nothing", async () => {
    const token = await issue();
    const answer = await issue("appointmentAnswer", { operationMoment: "2026-12-03 10:15" });
    for (const wrong of ["", "x", token.slice(0, -1), `${token}x`, ` ${token}`, tokenHash(token), answer])
      expect(await find(wrong)).toBeNull();
    expect(await find(token, "letterFilesLink")).toBeNull();
    expect(await find(token)).not.toBeNull();
  });

  test("a token has at least 128 bits, and 256 where it opens files", async () => {
    expect(Buffer.from(await issue("appointmentAnswer"), "base64url")).toHaveLength(16);
    expect(Buffer.from(await issue("radiographLink"), "base64url")).toHaveLength(32);
    expect(Buffer.from(await issue("letterFilesLink"), "base64url")).toHaveLength(32);
  });

  test("expires to the minute", async () => {
    const token = await issue();
    portal.clock.set(addMinutes(addDays(new Date("2026-12-01T09:00:00.000Z"), 30), -1).toISOString());
    expect(await find(token)).not.toBeNull();
    portal.clock.advance({ minutes: 1 });
    expect(await find(token)).toBeNull();
  });

  test("a newer link replaces the older link to the same files and to no other letter", async () => {
    const [first, other] = [
      await issue("letterFilesLink", { letterNumber: 1 }),
      await issue("letterFilesLink", { letterNumber: 2 }),
    ];
    const second = await issue("letterFilesLink", { letterNumber: 1 });
    expect(await find(first, "letterFilesLink")).toBeNull();
    expect(await find(second, "letterFilesLink")).not.toBeNull();
    expect(await find(other, "letterFilesLink")).not.toBeNull();
  });

  test("the links of several reminders of one appointment are all valid", async () => {
    const moment = { operationMoment: "2026-12-03 10:15" };
    const [first, second] = [await issue("appointmentAnswer", moment), await issue("appointmentAnswer", moment)];
    expect(await find(first, "appointmentAnswer")).not.toBeNull();
    expect(await find(second, "appointmentAnswer")).not.toBeNull();
  });

  test("an expired link is exchanged once a day; a valid or revoked link never is", async () => {
    const token = await issue();
    expect(await exchange(token)).toBe(false);
    portal.clock.advance({ days: 31 });
    expect(await exchange("unknown")).toBe(false);
    expect(await exchange(token)).toBe(true);
    expect(await exchange(token)).toBe(false);
    portal.clock.advance({ days: 1.01 });
    expect(await exchange(token)).toBe(true);
    await inTransaction(portal.db, (tx) => revokePatientLinks(tx, { referralId }, "staff", portal.clock.now()));
    portal.clock.advance({ days: 2 });
    expect(await exchange(token)).toBe(false);
  });

  test("every invalid token costs the same statements: one look-up by its hash", async () => {
    const other = await issue("letterFilesLink", { letterNumber: 1 });
    const replaced = await issue();
    await issue();
    const removed = await issue("letterFilesLink", { letterNumber: 3 });
    await portal.db.deleteFrom("accessToken").where("id", "=", tokenHash(removed)).execute();
    const takenBack = await issue();
    await inTransaction(portal.db, (tx) => revokePatientLinks(tx, { referralId }, "staff", portal.clock.now()));
    const expired = await issue();
    portal.clock.advance({ days: 31 });
    const good = await issue();
    const ways = new Map<string, string[]>();
    for (const [why, token] of Object.entries({
      unknown: "x".repeat(43),
      truncated: good.slice(0, -1),
      hash: tokenHash(good),
      other,
      replaced,
      removed,
      takenBack,
      expired,
    })) {
      await portal.db.deleteFrom("throttle").execute();
      const { db, recorded } = recordStatements(portal.db);
      const from = { site: "public" as const, address: "192.0.2.8" };
      await expect(patientCaller({ ...portal, db }, { token, purpose: "radiographLink" }, from)).rejects.toMatchObject({
        name: "linkExpired",
      });
      const statements = recorded.map(({ sql }) => sql);
      expect(statements[0], why).toContain("access_token");
      expect(
        statements.filter((statement) => statement.includes("access_token")),
        why,
      ).toHaveLength(1);
      const way = statements.join("\n");
      ways.set(way, [...(ways.get(way) ?? []), why]);
    }
    expect([...ways.values()]).toHaveLength(1);
  });

  test("guesses are throttled by address and do not block anybody with a valid link", async () => {
    const token = await issue();
    const from = { site: "public" as const, address: "192.0.2.7" };
    const outcomes = new Map<string, number>();
    for (let turn = 0; turn < 400; turn += 1) {
      const name = await patientCaller(portal, { token: `guess-${turn}`, purpose: "radiographLink" }, from).then(
        () => "opened",
        (error: Error) => error.name,
      );
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({ linkExpired: 300, tooManyAttempts: 100 });
    const caller = await patientCaller(portal, { token, purpose: "radiographLink" }, from);
    expect(caller.actor).toMatchObject({ kind: "patientToken", referralId });
  });
});

/// <reference types="vite/client" />
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { isOperation } from "~/access/operation.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { pagesOfPdf } from "../../../tests/support/pdf-text";
import { anonymous } from "../../../tests/support/portals/accounts-portal";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { downloadInsight } from "./insight-pdf.server";
import { auditWords } from "./words/audit-words";
import { filterAccess, listAccess } from "./access-list.server";

test("every operation has words for what it does and what it is for", () => {
  const modules = import.meta.glob<Record<string, unknown>>("../../{features,files}/**/*.server.{ts,tsx}", {
    eager: true,
  });
  const names = Object.values(modules).flatMap((module) =>
    Object.values(module)
      .filter(isOperation)
      .map(({ name }) => name),
  );
  expect(names.filter((name) => auditWords(name) === auditWords("no operation"))).toEqual([]);
});

forEachDatabase("the log of accesses", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  let dentist: Person;
  let [own, other] = [0, 0];
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin", userName: "admin" });
    surgeon = await aPerson(portal, { role: "Surgeon", userName: "kirurg" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)], userName: "tandlaege" });
    own = await aReferral(portal, dentist, { cpr6: "610190", cpr4: "1009" });
    other = await aReferral(portal, dentist, { cpr6: "610191", cpr4: "1009" });
    portal.clock.set("2026-12-03T09:00:00.000Z");
    for (const referralId of [own, other]) await portal.as(surgeon, readReferral, { referralId });
    await portal.as(surgeon, readReferral, { referralId: own });
    portal.clock.set("2026-12-03T23:30:00.000Z");
    const { statusVersion: version } = await portal.db
      .selectFrom("referral")
      .select("statusVersion")
      .where("id", "=", own)
      .executeTakeFirstOrThrow();
    await portal.as(admin, setStatus, { referralId: own, status: 2, seenVersion: version });
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await portal.as(stranger, readReferral, { referralId: own }).catch(() => null);
    await portal.audit.flush();
  });
  afterAll(() => portal.close());

  const search = async (filter: Record<string, unknown>) => {
    const { to } = await portal.as(admin, filterAccess, filter);
    const f = new URL(to, "https://x").searchParams.get("f");
    const { rows } = await portal.as(admin, listAccess, { f });
    return { f, rows: rows.map(({ userName, operation, outcome }) => `${userName ?? "-"} ${operation} ${outcome}`) };
  };

  test("is searched by referral, CPR number, person and day, within the reader's scope", async () => {
    const ofReferral = await search({ visitNumber: String(own) });
    expect(ofReferral.rows.slice(0, 3)).toEqual([
      expect.stringMatching(/ readReferral refused$/) as string,
      "admin setStatus done",
      "kirurg readReferral seen",
    ]);
    const ofPatient = await search({ cpr6: "610190", cpr4: "1009" });
    expect(ofPatient.rows).toEqual(expect.arrayContaining(ofReferral.rows));
    expect((await search({ visitNumber: String(own), userName: "Kirurg" })).rows).toEqual([
      "kirurg readReferral seen",
      "kirurg readReferral seen",
    ]);
    // 23:30 UTC is the next day in Copenhagen.
    expect((await search({ userName: "admin", dateFrom: "4.12.2026", dateTo: "4.12.2026" })).rows).toContain(
      "admin setStatus done",
    );
    expect((await search({ userName: "admin", dateFrom: "3.12.2026", dateTo: "3.12.2026" })).rows).toEqual([]);
    expect((await search({ visitNumber: "999999" })).rows).toEqual([]);
    const { rows } = await portal.as(admin, listAccess, {});
    expect(rows.find(({ operation }) => operation === "setStatus")).toMatchObject({
      at: "2026-12-03T23:30:00.000Z",
      name: expect.stringContaining("Åse") as string,
      role: "Admin",
      referrals: [own],
    });
    expect((await portal.as(admin, listAccess, { f: "somebody-elses" })).wasReset).toBe(true);
  });

  test("a sign-in names who signed in, and a refused one nobody", async () => {
    const password = "Aftale2026!";
    await aPerson(portal, { role: "Admin", userName: "nyansat", password });
    await portal.as(anonymous, signIn, { userName: "nyansat", password: "forkert" }).catch(() => null);
    await portal.as(anonymous, signIn, { userName: "nyansat", password });
    await portal.audit.flush();
    const { rows } = await portal.as(admin, listAccess, {});
    const signIns = rows.filter(({ operation }) => operation === "signIn");
    const told = signIns.map(({ userName, subjectUserName, outcome }) => [userName, subjectUserName, outcome]);
    expect(told).toHaveLength(2);
    expect(told).toContainEqual(["nyansat", null, "done"]);
    expect(told).toContainEqual([null, "nyansat", "refused"]);
  });

  test("the patient's extract holds day, action, purpose and role, and no names", async () => {
    const { f } = await search({ cpr6: "610190", cpr4: "1009" });
    const { open, fileName } = await portal.as(admin, downloadInsight, { f });
    const text = (await pagesOfPdf(await buffer(await open()))).join("\n");
    expect(fileName).toBe("indsigt-i-log.pdf");
    expect(text).toContain("CPR-nummer 610190-1009");
    const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
    expect(lines.filter((line) => line.startsWith("03.12.2026 Åbnede henvisningen"))).toEqual([
      "03.12.2026 Åbnede henvisningen Behandling af henvisningen Kirurg",
    ]);
    expect(lines).toContain("04.12.2026 Satte status Behandling af henvisningen Admin");
    for (const person of [admin, surgeon, dentist]) expect(text).not.toContain(person.lastName);
    await portal.audit.flush();
    const asked = await portal.db
      .selectFrom("auditEvent")
      .select(["actorId", "cprHash"])
      .where("operation", "=", "downloadInsight")
      .execute();
    expect(asked).toEqual([{ actorId: admin.id, cprHash: portal.secrets.lookup("cpr", "610190-1009") }]);
    const six = await search({ cpr6: "610190" });
    await expect(portal.as(admin, downloadInsight, { f: six.f })).rejects.toMatchObject({ name: "notInScope" });
  });
});

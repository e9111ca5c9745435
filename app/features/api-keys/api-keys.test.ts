import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hasAccount, type Person } from "~/access/actor";
import { keyCaller } from "~/access/api-keys.server";
import { mergeClinics } from "~/features/clinics/operations.server";
import { accountTypes } from "~/features/people/role-names";
import { updateUser } from "~/features/people/update-user.server";
import { mergeUsers } from "~/features/people/merge-users.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { recordStatements } from "../../../tests/support/record-statements";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { createApiKey, readApiKeys, revokeApiKey } from "./operations.server";

const PASSWORD = "Demo1234";

forEachDatabase("API keys", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  let ours: number;
  let theirs: number;
  let dentist: Person;
  let stranger: Person;
  let forms = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    [ours, theirs] = [await aClinic(portal), await aClinic(portal)];
    admin = await aPerson(portal, { role: "Admin", password: PASSWORD });
    surgeon = await aPerson(portal, { role: "Surgeon", password: PASSWORD });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [ours] });
    stranger = await aPerson(portal, { role: "Dentist", clinicIds: [theirs] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("throttle").execute();
  });

  const formOf = (more: object = {}) => ({
    formKey: `key-form-${++forms}`,
    name: "Journalsystem",
    scopes: ["read"],
    reach: "all",
    lifeDays: 365,
    callsPerMinute: 100,
    currentPassword: PASSWORD,
    ...more,
  });
  const make = async (more: object = {}, maker = admin) => {
    const { data } = await portal.as(maker, createApiKey, formOf(more));
    return data!.token as string;
  };
  const call = (token: string, address = "203.0.113.7") => keyCaller(portal, token, { site: "public", address });
  const actorOf = async (token: string) => {
    const { actor } = await call(token);
    if (!hasAccount(actor)) throw new Error("nobody with an account");
    return actor;
  };
  const newest = () =>
    portal.db.selectFrom("apiKey").selectAll().orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
  const refusal = (name: string) => expect.objectContaining({ name });
  const events = async (operation: string) => {
    await portal.audit.flush();
    return portal.db
      .selectFrom("auditEvent")
      .select(["actorKind", "actorId", "apiKeyId", "outcome", "detail"])
      .where("operation", "=", operation)
      .orderBy("id", "desc")
      .execute();
  };

  test("are shown once and stored as a hash, by which they are looked up in one query", async () => {
    const token = await make();
    expect(token).toMatch(/^hp_[\w-]{43}$/);
    const row = await newest();
    expect(row.keyHash).toBe(createHash("sha256").update(token).digest("hex"));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(JSON.stringify(await portal.as(admin, readApiKeys, {}))).not.toContain(token);
    await call(token);
    const { db, recorded } = recordStatements(portal.db);
    await keyCaller(Object.assign(Object.create(portal) as TestPortal, { db }), token, { site: "public", address: "" });
    expect(recorded.filter(({ sql }) => /from .api_key./i.test(sql))).toHaveLength(1);
    expect(JSON.stringify(recorded.map(({ parameters }) => parameters))).not.toContain(token);
  });

  test("sent twice, a form makes one key and shows it once", async () => {
    const form = formOf();
    const first = await portal.as(admin, createApiKey, form);
    const second = await portal.as(admin, createApiKey, form);
    expect([first.data?.token, second.data]).toEqual([expect.any(String), undefined]);
  });

  test.each([
    [{ currentPassword: "forkert" }, "wrongCurrentPassword", "currentPassword"],
    [{ currentPassword: "" }, "wrongCurrentPassword", "currentPassword"],
    [{ reach: "clinic", clinicId: 999_999 }, "invalid", "clinicId"],
    [{ scopes: ["refer"], userName: "findes ikke" }, "invalid", "userName"],
  ])("are not made of %j", async (more, name, field) => {
    const made = portal.as(admin, createApiKey, formOf(more));
    await expect(made).rejects.toMatchObject({ name, fields: { [field]: [expect.any(String)] } });
  });

  test.each([
    { scopes: [] },
    { scopes: ["users"] },
    { scopes: ["refer"] },
    { reach: "clinic" },
    { reach: "clinic", clinicId: 1, scopes: ["statistics"] },
    { lifeDays: 100_000 },
    { callsPerMinute: 0 },
    { addresses: "192.0.2.0/33" },
  ])("are not made of %j: the form says why", async (more) => {
    await expect(portal.as(admin, createApiKey, formOf(more))).rejects.toEqual(refusal("invalid"));
  });

  test("a key writes in the name of a member of its clinic, or of staff for all clinics", async () => {
    const ofClinic = { scopes: ["messages"], reach: "clinic", clinicId: ours };
    const nobodyOfTheirs = { ...ofClinic, userName: stranger.userName };
    await expect(make(nobodyOfTheirs)).rejects.toEqual(refusal("invalid"));
    await expect(make({ ...ofClinic, userName: admin.userName })).rejects.toEqual(refusal("invalid"));
    await expect(make({ scopes: ["messages"], userName: dentist.userName })).rejects.toEqual(refusal("invalid"));
    expect((await actorOf(await make({ ...ofClinic, userName: dentist.userName }))).id).toBe(dentist.id);
    expect((await actorOf(await make({ scopes: ["messages"], userName: surgeon.userName }))).id).toBe(surgeon.id);
  });

  test("of one clinic see its referrals, and another's as if it were not there", async () => {
    const [own, other] = [await aReferral(portal, dentist), await aReferral(portal, stranger)];
    const actor = await actorOf(await make({ reach: "clinic", clinicId: ours }));
    const listed = (await portal.as(actor, listReferrals, {})) as { rows: { id: number }[] };
    expect(listed.rows.map(({ id }) => id)).toEqual([own]);
    expect(await portal.as(actor, readReferral, { referralId: own })).toMatchObject({ id: own });
    await expect(portal.as(actor, readReferral, { referralId: other })).rejects.toEqual(refusal("notInScope"));
    await expect(portal.as(actor, readReferral, { referralId: 999_999 })).rejects.toEqual(refusal("notInScope"));
    const ofAll = await actorOf(await make());
    expect(await portal.as(ofAll, readReferral, { referralId: other })).toMatchObject({ id: other });
    const { id } = await newest();
    expect((await events("readReferral"))[0]).toMatchObject({
      actorKind: "apiKey",
      actorId: null,
      apiKeyId: id,
      outcome: "seen",
    });
  });

  test("end at once when revoked or expired, or when their people become inactive", async () => {
    const useless = refusal("notSignedIn");
    const revoked = await make();
    const { id } = await newest();
    await portal.as(surgeon, revokeApiKey, { keyId: id });
    await expect(call(revoked)).rejects.toEqual(useless);
    expect((await events("useApiKey"))[0]).toMatchObject({ apiKeyId: id, detail: "revoked key" });
    const again = await portal.as(surgeon, revokeApiKey, { keyId: id });
    expect(again.flash).toMatchObject({ tone: "info" });
    await expect(portal.as(surgeon, revokeApiKey, { keyId: 999_999 })).rejects.toEqual(refusal("notInScope"));

    const short = await make({ lifeDays: 30 });
    portal.clock.advance({ days: 30 });
    await expect(call(short)).rejects.toEqual(useless);
    expect((await portal.as(admin, readApiKeys, {})).keys[0]).toMatchObject({ state: "expired" });
    await expect(call("hp_nobodys")).rejects.toEqual(useless);

    const other = await aPerson(portal, { role: "Admin", password: PASSWORD });
    const leavers = await make({}, other);
    const member = await aPerson(portal, { role: "Dentist", clinicIds: [ours] });
    const writing = { scopes: ["refer"], reach: "clinic", clinicId: ours, userName: member.userName };
    const written = await make(writing);
    await call(written);
    await portal.db.deleteFrom("userClinic").where("userId", "=", member.id).execute();
    await expect(call(written)).rejects.toEqual(useless);
    const { firstName, userName, email } = other;
    await portal.as(admin, updateUser, {
      userId: other.id,
      type: accountTypes.staff,
      firstName,
      lastName: "Kjær",
      userName,
      email,
      status: 0,
      currentPassword: PASSWORD,
    });
    await expect(call(leavers)).rejects.toEqual(useless);
    // A reactivated person needs new keys: ended keys stay ended.
    await portal.db.updateTable("user").set({ status: 1 }).where("id", "=", other.id).execute();
    await expect(call(leavers)).rejects.toEqual(useless);
  });

  test("end with the user or clinic that is merged into another", async () => {
    const gone = await aClinic(portal);
    const [kept, loser] = [
      await aPerson(portal, { role: "Dentist", clinicIds: [ours] }),
      await aPerson(portal, { role: "Dentist", clinicIds: [ours] }),
    ];
    const ofLoser = await make({ scopes: ["refer"], reach: "clinic", clinicId: ours, userName: loser.userName });
    const ofClinic = await make({ reach: "clinic", clinicId: gone });
    await Promise.all([call(ofLoser), call(ofClinic)]);
    await portal.as(admin, mergeUsers, {
      keepId: kept.id,
      pick: [kept, loser].map(({ id }) => String(id)),
      firstName: "Mette",
      lastName: "Kjærgaard",
      email: kept.email,
      status: 1,
      confirmed: "on",
    });
    const card = {
      name: "Samlet",
      address: "Åvej 1",
      zip: "8000",
      city: "Aarhus",
      email: "a@eksempel.dk",
      phone: "10 00 00 01",
    };
    await portal.as(admin, mergeClinics, {
      keepId: theirs,
      pick: [theirs, gone].map(String),
      ...card,
      status: 1,
      confirmed: "on",
    });
    for (const token of [ofLoser, ofClinic]) await expect(call(token)).rejects.toEqual(refusal("notSignedIn"));
  });

  test("work from their addresses alone, so often a minute, and each for itself", async () => {
    const token = await make({ addresses: "192.0.2.0/24, 2001:db8::1", callsPerMinute: 3 });
    await expect(call(token, "198.51.100.1")).rejects.toEqual(refusal("addressNotAllowed"));
    await call(token, "192.0.2.9");
    await call(token, "2001:db8::1");
    await call(token, "192.0.2.9");
    await expect(call(token, "192.0.2.9")).rejects.toMatchObject({
      name: "tooManyAttempts",
      retryAfterSeconds: 60,
      text: expect.stringContaining("et minut"),
    });
    await call(await make(), "198.51.100.1");
    portal.clock.advance({ minutes: 1 });
    portal.clock.advance({ minutes: 1 });
    await call(token, "192.0.2.9");
    expect((await newest()).lastUsedAt).not.toBeNull();
  });

  test("unknown keys are throttled by address", async () => {
    const guess = () => call(`hp_${Math.random()}`, "198.51.100.99").catch((error: Error) => error.name);
    const names = new Set<string>();
    for (let index = 0; index < 302; index += 1) names.add((await guess()) as string);
    expect([...names]).toEqual(["notSignedIn", "tooManyAttempts"]);
    const good = await make();
    await call(good, "198.51.100.99");
  });
});

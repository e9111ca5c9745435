import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Actor, Role } from "~/access/actor";
import type { Site } from "~/access/caller";
import { pendingStep } from "~/access/authorise.server";
import { tokenHash } from "~/access/secrets.server";
import { findSession } from "~/access/sessions.server";
import { createExternalLink, releaseExternalAccount, saveExternalIdentity } from "~/features/people/update-user.server";
import {
  activateSecondFactor,
  beginSecondFactor,
  checkSecondFactor,
  readSecurity,
} from "~/features/account-security/operations.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { createOpenIdProvider } from "~/gateways/identity-provider/openid.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProviderPeer,
  startIdentityProvider,
} from "../../../tests/support/peers/identity-provider";
import { oathtoolCode } from "../../../tests/support/oathtool.mjs";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { beginExternalSignIn, finishExternalSignIn } from "./external-sign-in.server";
import { externalTexts } from "./external-sign-in-texts";
import { confirmSignIn, readSignIn, signOut } from "./operations.server";
import { askOwnPassword, changePassword, forgotPassword } from "./passwords.server";
import { signIn } from "./sign-in.server";

const anonymous: Actor = { kind: "anonymous" };
const PASSWORD = "Hvidtjoern7Kost";
const ADMIN = "https://klinik.eksempel.dk";
const PUBLIC = "https://www.henvis.eksempel.dk";
const returnTo = { staff: `${ADMIN}/login/ekstern/personale`, referrers: `${PUBLIC}/login/ekstern/henvisere` };
type Group = keyof typeof returnTo;
const siteOf: Record<Group, Site> = { staff: "staff", referrers: "public" };

forEachDatabase("sign-in at an identity provider", (dialect) => {
  let peer: IdentityProviderPeer;
  let portal: TestPortal;
  let count = 0;

  beforeAll(async () => {
    peer = await startIdentityProvider(Object.values(returnTo));
    const settings = (prefix: string) => ({
      [`${prefix}_ISSUER`]: peer.issuer,
      [`${prefix}_CLIENT_ID`]: CLIENT_ID,
      [`${prefix}_CLIENT_SECRET`]: CLIENT_SECRET,
      [`${prefix}_LABEL`]: "Log ind med Region Midtjylland",
    });
    portal = await createTestPortal(dialect, {
      env: { ADMIN_ORIGIN: ADMIN, PUBLIC_ORIGIN: PUBLIC, ...settings("OIDC_STAFF"), ...settings("OIDC_REFERRER") },
    });
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  const asConfigured = () => structuredClone({ ...portal.config.signIn });
  let configured: ReturnType<typeof asConfigured>;
  beforeAll(() => {
    configured = asConfigured();
  });
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    portal.config.signIn = { ...configured };
    portal.config.secondFactor = { staff: "optional", referrers: "optional" };
    for (const table of ["throttle", "session", "outbox"] as const) await portal.db.deleteFrom(table).execute();
  });

  const nameAs = (admin: Actor, userId: number, externalIdentity: string) =>
    portal.as(admin, saveExternalIdentity, { userId, externalIdentity, currentPassword: PASSWORD });

  /** Somebody here whose account at the provider has a name, as an administrator filled it in. */
  async function somebody({ role = "Admin" as Role, named = true, password = true } = {}) {
    const name = `ekstern${++count}`;
    const person = await aPerson(portal, { role, userName: `lokal${count}`, ...(password && { password: PASSWORD }) });
    const admin = await aPerson(portal, { role: "Admin", password: PASSWORD });
    if (named) await nameAs(admin, person.id, name.toUpperCase());
    return { person, admin, name };
  }
  const sits = (name: string, more: Partial<Parameters<IdentityProviderPeer["sits"]>[0]> = {}) =>
    peer.sits({ subject: `subject-${name}`, ...more, claims: { preferred_username: name, ...more.claims } });

  const begin = (group: Group, to: string | null = null, link = "") =>
    portal.as(
      anonymous,
      beginExternalSignIn,
      { group, returnAddress: returnTo[group], to, link },
      { site: siteOf[group] },
    );
  const finish = (group: Group, answer: string, round: string, site = siteOf[group]) =>
    portal.as(anonymous, finishExternalSignIn, { group, answer, round }, { site });
  async function enter(group: Group = "staff", to: string | null = null) {
    const { address, round } = await begin(group, to);
    return finish(group, await peer.walk(address), round);
  }
  const personOf = async (done: Awaited<ReturnType<typeof enter>>) => {
    const { token } = done.session as { token: string };
    return (await findSession(portal, token, portal.clock.now(), portal.config.secondFactor))!.person;
  };
  const mailedTo = async () => {
    const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "accountChanged").execute();
    return rows.map((row) => unsealMessage(portal.secrets, row).to);
  };
  const refusal = (text: string) => ({ name: "wrongCredentials", text });

  describe("who has a name here", () => {
    test("signs in, is bound, and is the same afterwards whatever the name is", async () => {
      const { person, name } = await somebody();
      sits(name);
      const done = await enter("staff", "/management/draft-visits");
      expect(done.to).toBe("/management/draft-visits");
      expect(await mailedTo(), "of the name, and of the binding").toEqual([person.email, person.email]);
      expect((await personOf(done)).id).toBe(person.id);
      sits("anothername", { subject: `subject-${name}` });
      expect((await personOf(await enter())).id).toBe(person.id);
    });

    test("is a referrer on the public host, and staff are unknown there", async () => {
      const { person, name } = await somebody({ role: "Dentist" });
      sits(name);
      expect((await personOf(await enter("referrers"))).id).toBe(person.id);
      const staff = await somebody();
      sits(staff.name);
      await expect(enter("referrers")).rejects.toMatchObject(refusal(externalTexts.unknown));
      const fromPublic = begin("staff").then(({ address, round }) => finish("staff", address, round, "public"));
      await expect(fromPublic).rejects.toMatchObject({ name: "notInScope" });
    });

    test("is refused when inactive, and bound to nobody", async () => {
      const { person, name } = await somebody();
      await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();
      sits(name);
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.inactive));
      const bound = portal.db.selectFrom("user").select("external_subject").where("id", "=", person.id);
      expect(await bound.executeTakeFirst()).toEqual({ external_subject: null });
    });

    test("is refused with a second account of that name, until the first is released", async () => {
      const { person, admin, name } = await somebody();
      sits(name);
      await enter();
      sits(name, { subject: `subject-${name}-again` });
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.taken));
      await portal.db.deleteFrom("outbox").execute();
      await portal.as(admin, releaseExternalAccount, { userId: person.id });
      expect(await mailedTo()).toEqual([person.email]);
      expect((await personOf(await enter())).id).toBe(person.id);
    });

    test("shares it with no other user", async () => {
      const { admin, name } = await somebody();
      const { person } = await somebody({ named: false });
      await expect(nameAs(admin, person.id, name)).rejects.toMatchObject({
        name: "invalid",
        fields: { externalIdentity: [expect.any(String)] },
      });
    });
  });

  test("an administrator's link binds whoever signs in with it, once, within seven days", async () => {
    const { person, admin } = await somebody({ named: false });
    const linkTo = async (userId: number) => {
      const { data } = await portal.as(admin, createExternalLink, { userId, currentPassword: PASSWORD });
      expect(data!.link).toMatch(/^https:\/\/klinik\.eksempel\.dk\/login\/ekstern\/personale\?tilknyt=[\w-]{43}$/);
      return new URL(data!.link as string).searchParams.get("tilknyt")!;
    };
    const by = async (link: string) => {
      const { address, round } = await begin("staff", null, link);
      return finish("staff", await peer.walk(address), round);
    };
    await expect(portal.as(admin, createExternalLink, { userId: person.id })).rejects.toMatchObject({
      name: "wrongCurrentPassword",
    });
    const old = await linkTo(person.id);
    const link = await linkTo(person.id);
    sits("linked");
    await expect(by(old)).rejects.toMatchObject({ name: "signInExpired", text: externalTexts.linkUsed });
    expect((await personOf(await by(link))).id).toBe(person.id);
    sits("another-one");
    await expect(by(link)).rejects.toMatchObject({ name: "signInExpired" });
    const { person: second } = await somebody({ named: false });
    const late = await linkTo(second.id);
    portal.clock.advance({ days: 8 });
    await expect(by(late)).rejects.toMatchObject({ name: "signInExpired" });
  });

  test("an account that nobody has named is refused, and nobody is made", async () => {
    const users = () =>
      portal.db
        .selectFrom("user")
        .select((eb) => eb.fn.countAll().as("n"))
        .executeTakeFirst();
    const before = await users();
    sits("nobody-knows-me", { claims: { given_name: "Ny", family_name: "Tandlæge" } });
    for (const group of ["staff", "referrers"] as const)
      await expect(enter(group)).rejects.toMatchObject(refusal(externalTexts.unknown));
    expect(await users()).toEqual(before);
  });

  test("a dentist is made of a new account where the settings name a clinic", async () => {
    const clinicId = await aClinic(portal);
    portal.config.signIn = { ...configured, newReferrersClinicId: clinicId };
    const name = `nytandlaege${++count}`;
    sits(name, { claims: { given_name: "Nynne", family_name: "Holm", groups: ["henvis-admin"] } });
    expect(await personOf(await enter("referrers"))).toMatchObject({
      userName: name,
      firstName: "Nynne",
      roles: ["Dentist"],
      clinicIds: [clinicId],
    });
    await portal.db.updateTable("clinic").set({ status: 0 }).where("id", "=", clinicId).execute();
    sits(`${name}-c`, { claims: { given_name: "Nynne", family_name: "Holm" } });
    await expect(enter("referrers")).rejects.toMatchObject(refusal(externalTexts.unknown));
    await portal.db.updateTable("clinic").set({ status: 1 }).where("id", "=", clinicId).execute();
    sits("fremmed navn", { claims: { given_name: "Nynne", family_name: "Holm" } });
    await expect(enter("referrers")).rejects.toMatchObject(refusal(externalTexts.unknown));
    sits(`${name}-b`, { claims: { given_name: "Nynne", family_name: "Holm" } });
    await expect(enter("staff")).rejects.toMatchObject(refusal(externalTexts.unknown));
  });

  test("by e-mail only one active user with that verified address is bound", async () => {
    portal.config.signIn = { ...configured };
    const provider = portal.identityProviders.staff;
    const { person } = await somebody({ named: false });
    portal.identityProviders.staff = createOpenIdProvider({ ...configured.staff!, nameClaims: ["email"] });
    try {
      const email = person.email;
      sits("by-mail", { claims: { email, email_verified: false } });
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.unknown));
      sits("by-mail", { claims: { email, email_verified: true } });
      expect((await personOf(await enter())).id).toBe(person.id);
    } finally {
      portal.identityProviders.staff = provider;
    }
  });

  test("roles follow the groups, and who is in none is refused", async () => {
    portal.config.signIn = {
      ...configured,
      staff: { ...configured.staff!, rolesByGroup: new Map([["henvis-kirurg", "Surgeon"]]) },
    };
    const { name } = await somebody();
    sits(name, { claims: { groups: ["henvis-kirurg", "alle"] } });
    expect((await personOf(await enter())).roles).toEqual(["Surgeon"]);
    sits(name, { claims: { groups: ["alle"] } });
    await expect(enter()).rejects.toMatchObject(refusal(externalTexts.noGroup));
  });

  describe("the second factor", () => {
    test("of ours is asked for unless the provider has asked for one", async () => {
      const { person, name } = await somebody();
      await portal.as(person, beginSecondFactor, { currentPassword: PASSWORD });
      const { secret } = (await portal.as(person, readSecurity, {})).factor!.setUp!;
      const code = () => {
        portal.clock.advance({ minutes: 0.5 });
        return oathtoolCode(secret, portal.clock.now());
      };
      await portal.as(person, checkSecondFactor, { code: code() });
      await portal.as(person, activateSecondFactor, {});
      sits(name, { amr: ["pwd"] });
      const asked = await enter();
      expect(asked.session).toBeUndefined();
      const step = asked.data!.step as string;
      const done = await portal.as(anonymous, confirmSignIn, { step, code: code() }, { site: "staff" });
      expect((await personOf(done)).id).toBe(person.id);
      sits(name, { amr: ["pwd", "otp"] });
      expect((await personOf(await enter())).id).toBe(person.id);
    });

    test("need not be set up by who has one at the provider", async () => {
      portal.config.secondFactor = { staff: "required", referrers: "optional" };
      const { name } = await somebody();
      for (const [amr, step] of [
        ["pwd", "secondFactorMissing"],
        ["mfa", null],
      ] as const) {
        sits(name, { amr: [amr] });
        expect(pendingStep(await personOf(await enter()))).toBe(step);
      }
    });
  });

  describe("an answer is refused", () => {
    test("when cancelled, replayed, ten minutes old or from another browser", async () => {
      const { name } = await somebody();
      peer.sits({ subject: "x", cancels: true });
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.cancelled));
      sits(name);
      const { address, round } = await begin("staff");
      const answer = await peer.walk(address);
      await finish("staff", answer, round);
      await expect(finish("staff", answer, round)).rejects.toMatchObject(refusal(externalTexts.expired));
      const other = await begin("staff");
      const late = await peer.walk(other.address);
      await expect(finish("staff", late, round)).rejects.toMatchObject(refusal(externalTexts.expired));
      await expect(finish("staff", late, "")).rejects.toMatchObject({ name: "signInExpired" });
      portal.clock.advance({ minutes: 11 });
      await expect(finish("staff", late, other.round)).rejects.toMatchObject({ name: "signInExpired" });
    });

    test("when the round was begun for the other group", async () => {
      const { round } = await begin("referrers");
      await expect(finish("staff", `${returnTo.staff}?code=x&state=y`, round)).rejects.toMatchObject({
        name: "signInExpired",
      });
    });

    test("and counted and audited like a wrong password", async () => {
      const { person, name } = await somebody();
      await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();
      sits(name);
      await expect(enter()).rejects.toMatchObject({ name: "wrongCredentials" });
      await portal.audit.flush();
      const rows = await portal.db
        .selectFrom("audit_event")
        .select(["subject_user_id", "detail"])
        .where("operation", "=", "finishExternalSignIn")
        .where("subject_user_id", "=", person.id)
        .execute();
      expect(rows).toEqual([{ subject_user_id: person.id, detail: "wrongCredentials" }]);
      const { hits } = await portal.db
        .selectFrom("throttle")
        .select("hits")
        .orderBy("hits", "desc")
        .executeTakeFirstOrThrow();
      expect(hits).toBeGreaterThanOrEqual(2);
    });
  });

  describe("passwords", () => {
    test("are refused where the settings say so, with and without a right one", async () => {
      const staff = await somebody();
      const dentist = await somebody({ role: "Dentist" });
      const at = (site: Site, userName: string) =>
        portal.as(anonymous, signIn, { userName, password: PASSWORD }, { site });
      portal.config.signIn = { ...configured, password: "staff-off" };
      await expect(at("staff", staff.person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      expect((await at("public", dentist.person.userName)).session).toBeDefined();
      expect(await portal.as(anonymous, readSignIn, { to: null }, { site: "staff" })).toMatchObject({
        hasPassword: false,
        providers: [{ group: "staff", label: "Log ind med Region Midtjylland" }],
      });
      portal.config.signIn = { ...configured, password: "off" };
      await expect(at("public", dentist.person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(
        portal.as(anonymous, forgotPassword, { userName: dentist.person.userName }, { site: "public" }),
      ).rejects.toMatchObject({ name: expect.stringMatching(/accountUnknown|invalid/) as string });
    });

    test("of one's own are replaced by a sign-in of the last ten minutes for who has none", async () => {
      const { person, name } = await somebody({ password: false });
      sits(name);
      const done = await enter();
      const sessionId = tokenHash((done.session as { token: string }).token);
      const ask = (typed = "") =>
        askOwnPassword(
          {
            portal,
            person,
            db: portal.db,
            now: portal.clock.now(),
            caller: { actor: person, site: "staff", address: "203.0.113.7", sessionId },
          },
          typed,
          "Skriv din adgangskode.",
        );
      await ask();
      portal.clock.advance({ minutes: 11 });
      await expect(ask()).rejects.toMatchObject({ name: "wrongCurrentPassword" });
      await expect(ask(PASSWORD)).rejects.toMatchObject({ name: "wrongCurrentPassword" });
    });
  });

  test("a changed password keeps what the session knows of the provider", async () => {
    portal.config.secondFactor = { staff: "required", referrers: "optional" };
    const { person, name } = await somebody();
    sits(name, { amr: ["mfa"] });
    const sessionId = tokenHash(((await enter()).session as { token: string }).token);
    const newPassword = "Grøn kaffekop på månen 7";
    const passwords = { currentPassword: PASSWORD, newPassword, repeatPassword: newPassword };
    const done = await portal.as(person, changePassword, passwords, { sessionId });
    expect((await personOf(done as never)).mustSetUpSecondFactor).toBe(false);
  });

  test("signing out offers the provider's sign-out after a sign-in there only", async () => {
    const { person, name } = await somebody();
    sits(name);
    const { token } = (await enter()).session as { token: string };
    const leave = (sessionId: string) => portal.as(person, signOut, {}, { sessionId });
    expect((await leave(tokenHash(token))).to).toBe("/login?ud=staff");
    expect((await leave(tokenHash(token))).to).toBe("/login");
  });
});

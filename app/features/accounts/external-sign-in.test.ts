import { describe, expect, test } from "vitest";
import type { Site } from "~/access/caller";
import { pendingStep } from "~/access/authorise.server";
import { tokenHash } from "~/access/secrets.server";
import { releaseExternalAccount } from "~/features/people/update-user.server";
import {
  activateSecondFactor,
  beginSecondFactor,
  checkSecondFactor,
  readSecurity,
} from "~/features/account-security/operations.server";
import { aClinic } from "../../../tests/factories/people";
import { oneTimeCode } from "../../../tests/support/one-time-code";
import { forEachDatabase } from "../../../tests/support/test-portal";
import { externalTexts } from "./external-sign-in-texts";
import { confirmSignIn, readSignIn, signOut } from "./operations.server";
import { askOwnPassword, changePassword, forgotPassword } from "./passwords.server";
import { signIn } from "./sign-in.server";

import { anonymous, PASSWORD, returnTo, externalSignIn } from "../../../tests/support/portals/external-sign-in-portal";

forEachDatabase("sign-in at an identity provider", { mariadb: "matrix" }, (dialect) => {
  const at = externalSignIn(dialect);
  const { nameAs, somebody, sits, begin, finish, comeBack, confirm, enter, personOf, mailedTo, refusal } = at;

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
      await at.portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();
      sits(name);
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.inactive));
      const bound = at.portal.db.selectFrom("user").select("externalSubject").where("id", "=", person.id);
      expect(await bound.executeTakeFirst()).toEqual({ externalSubject: null });
    });

    test("is refused with a second account of that name, until the first is released", async () => {
      const { person, admin, name } = await somebody();
      sits(name);
      await enter();
      sits(name, { subject: `subject-${name}-again` });
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.taken));
      await at.portal.db.deleteFrom("outbox").execute();
      await at.portal.as(admin, releaseExternalAccount, { userId: person.id });
      expect(await mailedTo()).toEqual([person.email]);
      expect((await personOf(await enter())).id).toBe(person.id);
    });

    test("is refused with the winner's name once merged into one with an account", async () => {
      const [{ person, name }, winner] = [await somebody(), await somebody()];
      sits(name);
      await enter();
      await at.portal.db
        .updateTable("user")
        .set({ status: 0, mergedIntoId: winner.person.id })
        .where("id", "=", person.id)
        .execute();
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.merged(winner.person.userName)));
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

  test("an account that nobody has named is refused, and nobody is made", async () => {
    const users = () =>
      at.portal.db
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
    const clinicId = await aClinic(at.portal);
    at.portal.config.signIn = { ...at.configured, newReferrersClinicId: clinicId };
    const name = "nytandlaege";
    sits(name, { claims: { given_name: "Nynne", family_name: "Holm", groups: ["henvis-admin"] } });
    expect(await personOf(await enter("referrers"))).toMatchObject({
      userName: name,
      firstName: "Nynne",
      roles: ["Dentist"],
      clinicIds: [clinicId],
    });
    await at.portal.db.updateTable("clinic").set({ status: 0 }).where("id", "=", clinicId).execute();
    sits(`${name}-c`, { claims: { given_name: "Nynne", family_name: "Holm" } });
    await expect(enter("referrers")).rejects.toMatchObject(refusal(externalTexts.unknown));
    await at.portal.db.updateTable("clinic").set({ status: 1 }).where("id", "=", clinicId).execute();
    sits("fremmed navn", { claims: { given_name: "Nynne", family_name: "Holm" } });
    await expect(enter("referrers")).rejects.toMatchObject(refusal(externalTexts.unknown));
    sits(`${name}-b`, { claims: { given_name: "Nynne", family_name: "Holm" } });
    await expect(enter("staff")).rejects.toMatchObject(refusal(externalTexts.unknown));
  });

  test("sign-ins that succeed, and rounds that are only begun, use nobody's attempts up", async () => {
    const { name } = await somebody();
    sits(name);
    await enter();
    await at.portal.db.deleteFrom("throttle").execute();
    await begin("staff");
    await comeBack();
    await expect(finish("staff", `${returnTo.staff}?code=x&state=y`, "")).rejects.toMatchObject({
      name: "signInExpired",
    });
    const counted = await at.portal.db.selectFrom("throttle").select("hits").execute();
    expect(counted.filter(({ hits }) => hits > 0)).toEqual([]);
    sits("nobody-at-all");
    await expect(comeBack()).rejects.toMatchObject(refusal(externalTexts.unknown));
    const { hits } = await at.portal.db.selectFrom("throttle").select("hits").executeTakeFirstOrThrow();
    expect(hits).toBe(1);
  });

  test("roles follow the groups, and who is in none is refused", async () => {
    at.portal.config.signIn = {
      ...at.configured,
      staff: { ...at.configured.staff!, rolesByGroup: new Map([["henvis-kirurg", "Surgeon"]]) },
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
      await at.portal.as(person, beginSecondFactor, { currentPassword: PASSWORD });
      const { secret } = (await at.portal.as(person, readSecurity, {})).factor!.setUp!;
      const code = () => {
        at.portal.clock.advance({ minutes: 0.5 });
        return oneTimeCode(secret, at.portal.clock.now());
      };
      await at.portal.as(person, checkSecondFactor, { code: code() });
      await at.portal.as(person, activateSecondFactor, {});
      sits(name, { amr: ["pwd"] });
      const asked = await enter();
      expect(asked.session).toBeUndefined();
      const step = asked.data!.step as string;
      const done = await at.portal.as(anonymous, confirmSignIn, { step, code: code() }, { site: "staff" });
      expect((await personOf(done)).id).toBe(person.id);
      sits(name, { amr: ["pwd", "otp"] });
      expect((await personOf(await enter())).id).toBe(person.id);
    });

    test("need not be set up by who has one at the provider", async () => {
      at.portal.config.secondFactor = { staff: "required", referrers: "optional" };
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
      at.peer.sits({ subject: "x", cancels: true });
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.cancelled));
      sits(name);
      const { address, round } = await begin("staff");
      const answer = await at.peer.walk(address);
      await confirm(await finish("staff", answer, round), "staff");
      await expect(finish("staff", answer, round)).rejects.toMatchObject(refusal(externalTexts.expired));
      const other = await begin("staff");
      const late = await at.peer.walk(other.address);
      await expect(finish("staff", late, round)).rejects.toMatchObject(refusal(externalTexts.expired));
      await expect(finish("staff", late, "")).rejects.toMatchObject({ name: "signInExpired" });
      at.portal.clock.advance({ minutes: 11 });
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
      await at.portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();
      sits(name);
      await expect(enter()).rejects.toMatchObject({ name: "wrongCredentials" });
      await at.portal.audit.flush();
      const rows = await at.portal.db
        .selectFrom("auditEvent")
        .select(["subjectUserId", "detail"])
        .where("operation", "=", "finishExternalSignIn")
        .where("subjectUserId", "=", person.id)
        .execute();
      expect(rows).toEqual([{ subjectUserId: person.id, detail: "wrongCredentials" }]);
      const { hits } = await at.portal.db
        .selectFrom("throttle")
        .select("hits")
        .orderBy("hits", "desc")
        .executeTakeFirstOrThrow();
      expect(hits).toBe(1);
    });
  });

  describe("passwords", () => {
    test("are refused where the settings say so, with and without a right one", async () => {
      const staff = await somebody();
      const dentist = await somebody({ role: "Dentist" });
      const atSite = (site: Site, userName: string) =>
        at.portal.as(anonymous, signIn, { userName, password: PASSWORD }, { site });
      at.portal.config.signIn = { ...at.configured, password: "staff-off" };
      await expect(atSite("staff", staff.person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      expect((await atSite("public", dentist.person.userName)).session).toBeDefined();
      expect(await at.portal.as(anonymous, readSignIn, { to: null }, { site: "staff" })).toMatchObject({
        hasPassword: false,
        providers: [{ group: "staff", label: "Log ind med Region Midtjylland" }],
      });
      at.portal.config.signIn = { ...at.configured, password: "off" };
      await expect(atSite("public", dentist.person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(
        at.portal.as(anonymous, forgotPassword, { userName: dentist.person.userName }, { site: "public" }),
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
            portal: at.portal,
            person,
            db: at.portal.db,
            now: at.portal.clock.now(),
            caller: { actor: person, site: "staff", address: "203.0.113.7", sessionId },
          },
          typed,
          "Skriv din adgangskode.",
        );
      await ask();
      at.portal.clock.advance({ minutes: 11 });
      await expect(ask()).rejects.toMatchObject({ name: "wrongCurrentPassword" });
      await expect(ask(PASSWORD)).rejects.toMatchObject({ name: "wrongCurrentPassword" });
    });
  });

  test("a changed password keeps what the session knows of the provider", async () => {
    at.portal.config.secondFactor = { staff: "required", referrers: "optional" };
    const { person, name } = await somebody();
    sits(name, { amr: ["mfa"] });
    const sessionId = tokenHash(((await enter()).session as { token: string }).token);
    const newPassword = "Grøn kaffekop på månen 7";
    const passwords = { currentPassword: PASSWORD, newPassword, repeatPassword: newPassword };
    const done = await at.portal.as(person, changePassword, passwords, { sessionId });
    expect((await personOf(done as never)).mustSetUpSecondFactor).toBe(false);
  });

  test("signing out offers the provider's sign-out after a sign-in there only", async () => {
    const { person, name } = await somebody();
    sits(name);
    const { token } = (await enter()).session as { token: string };
    const leave = (sessionId: string) => at.portal.as(person, signOut, {}, { sessionId });
    expect((await leave(tokenHash(token))).to).toBe("/login?ud=staff");
    expect((await leave(tokenHash(token))).to).toBe("/login");
  });
});

import { inTransaction } from "~db/connection.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { createUser, NO_PASSWORD_HERE } from "~/features/people/create-user.server";
import { accountTypes } from "~/features/people/role-names";
import { expect, test } from "vitest";
import { createExternalLink, releaseExternalAccount, saveExternalIdentity } from "~/features/people/update-user.server";
import { createOpenIdProvider } from "~/gateways/identity-provider/openid.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { forEachDatabase } from "../../../tests/support/test-portal";
import { can } from "~/access/permissions";
import { externalTexts } from "./external-sign-in-texts";
import { signIn } from "./sign-in.server";
import { issueToken } from "./access-token-store.server";
import { readProfile } from "./change-profile.server";
import { PASSWORDS_UNUSED } from "./password";
import { changePassword, resetPassword } from "./passwords.server";
import { setUserPassword } from "~/features/people/operations.server";

import { anonymous, PASSWORD, bindingIn, externalSignIn } from "../../../tests/support/portals/external-sign-in-portal";

forEachDatabase("binding an account of an identity provider", { mariadb: "matrix" }, (dialect) => {
  const at = externalSignIn(dialect);
  const { somebody, sits, comeBack, confirm, enter, personOf, forEmail, refusal } = at;

  test("an administrator's link binds whoever signs in with it, once, within seven days", async () => {
    const { person, admin } = await somebody({ named: false });
    const linkTo = async (userId: number) => {
      const { data } = await at.portal.as(admin, createExternalLink, { userId, currentPassword: PASSWORD });
      expect(data!.link).toMatch(/^https:\/\/klinik\.eksempel\.dk\/login\/ekstern\/personale\?tilknyt=[\w-]{43}$/);
      return new URL(data!.link as string).searchParams.get("tilknyt")!;
    };
    const by = (link: string) => enter("staff", null, link);
    await expect(at.portal.as(admin, createExternalLink, { userId: person.id })).rejects.toMatchObject({
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
    at.portal.clock.advance({ days: 8 });
    await expect(by(late)).rejects.toMatchObject({ name: "signInExpired" });
  });

  test("by e-mail only one active user with that verified address is bound", async () => {
    at.portal.config.signIn = { ...at.configured };
    const provider = at.portal.identityProviders.staff;
    const { person } = await somebody({ named: false });
    at.portal.identityProviders.staff = createOpenIdProvider({ ...at.configured.staff!, nameClaims: ["email"] });
    try {
      const email = person.email;
      sits("by-mail", { claims: { email, email_verified: false } });
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.unknown));
      sits("by-mail", { claims: { email, email_verified: true } });
      await expect(enter(), "typed, but never proven").rejects.toMatchObject(refusal(externalTexts.unknown));
      await forEmail(person, email);
      expect((await personOf(await enter())).id).toBe(person.id);
    } finally {
      at.portal.identityProviders.staff = provider;
    }
  });

  test("an address that was changed since it was proven names nobody", async () => {
    const provider = at.portal.identityProviders.staff;
    const { person } = await somebody({ named: false });
    await forEmail(person, person.email);
    at.portal.identityProviders.staff = createOpenIdProvider({ ...at.configured.staff!, nameClaims: ["email"] });
    try {
      await at.portal.db.updateTable("user").set({ email: "offer@hospital.dk" }).where("id", "=", person.id).execute();
      sits("the-victim", { claims: { email: "offer@hospital.dk", email_verified: true } });
      await expect(enter()).rejects.toMatchObject(refusal(externalTexts.unknown));
    } finally {
      at.portal.identityProviders.staff = provider;
    }
  });

  test("the first time a page names the user, and a yes ends other sessions", async () => {
    const { person, name } = await somebody();
    const before = await at.portal.as(
      anonymous,
      signIn,
      { userName: person.userName, password: PASSWORD },
      { site: "staff" },
    );
    sits(name);
    const done = await comeBack("staff", "/management/draft-visits");
    expect([done.session, bindingIn(done)]).toEqual([
      undefined,
      { step: expect.any(String), name: `${person.firstName} ${person.lastName}`, userName: person.userName },
    ]);
    const subject = at.portal.db.selectFrom("user").select("externalSubject").where("id", "=", person.id);
    expect(await subject.executeTakeFirst()).toEqual({ externalSubject: null });
    await expect(confirm(done, "public")).rejects.toMatchObject(refusal(externalTexts.unknown));
    const entered = await confirm(done, "staff");
    expect([(await personOf(entered)).id, entered.to]).toEqual([person.id, "/management/draft-visits"]);
    expect(
      await at.portal.db.selectFrom("session").select("id").where("userId", "=", person.id).execute(),
    ).toHaveLength(1);
    await expect(personOf(before)).rejects.toThrow(TypeError);
    await expect(confirm(done, "staff")).rejects.toMatchObject(refusal(externalTexts.taken));
    const late = await somebody();
    sits(late.name);
    const asked = await comeBack();
    at.portal.clock.advance({ minutes: 11 });
    await expect(confirm(asked, "staff")).rejects.toMatchObject({ name: "signInExpired" });
  });

  test("a secretary who may manage users binds nobody", async () => {
    const { person, admin } = await somebody({ role: "Dentist", named: false });
    const secretary = await aPerson(at.portal, { role: "Secretary", password: PASSWORD });
    expect(can(secretary, "directory.manage")).toBe(true);
    const given = { userId: person.id, currentPassword: PASSWORD };
    for (const bind of [
      at.portal.as(secretary, createExternalLink, given),
      at.portal.as(secretary, saveExternalIdentity, { ...given, externalIdentity: "mig" }),
      at.portal.as(secretary, releaseExternalAccount, { userId: person.id }),
    ])
      await expect(bind).rejects.toMatchObject({ name: "notAllowed" });
    expect((await at.portal.as(admin, createExternalLink, given)).data!.link).toContain("?tilknyt=");
  });

  test("without passwords a new user is mailed a link that binds, and none is taken", async () => {
    at.portal.config.signIn = { ...at.configured, password: "off" };
    const { admin } = await somebody({ named: false });
    const clinicId = await aClinic(at.portal);
    const given = {
      type: accountTypes.referrer,
      firstName: "Nynne",
      lastName: "Holm",
      userName: "uden-kode",
      email: "nynne@eksempel.dk",
      clinicId,
    };
    const password = { newPassword: "Grøn kaffekop på månen 7", repeatPassword: "Grøn kaffekop på månen 7" };
    await expect(at.portal.as(admin, createUser, { ...given, ...password, formKey: "a" })).rejects.toMatchObject({
      fields: { newPassword: [NO_PASSWORD_HERE] },
    });
    const made = await at.portal.as(admin, createUser, { ...given, formKey: "b" });
    expect(JSON.stringify(made)).toContain("Et link til at knytte kontoen hos login-udbyderen er på vej til");
    const row = await at.portal.db
      .selectFrom("outbox")
      .selectAll()
      .where("kind", "=", "newUser")
      .executeTakeFirstOrThrow();
    const content = String(unsealMessage(at.portal.secrets, row).content);
    expect(content).not.toMatch(/vælg din adgangskode|Glemt adgangskode/i);
    const link = /tilknyt=([\w-]{43})/.exec(content)![1]!;
    sits("nynne");
    expect(await personOf(await enter("referrers", null, link))).toMatchObject({ userName: "uden-kode" });
  });

  test("without passwords nobody sets one: neither oneself, an administrator nor a link", async () => {
    const { person, admin } = await somebody({ named: false });
    const now = at.portal.clock.now();
    const token = await inTransaction(at.portal.db, (tx) =>
      issueToken(tx, { purpose: "passwordReset", userId: person.id, now, minutes: 60 }),
    );
    at.portal.config.signIn = { ...at.configured, password: "off" };
    const pair = { newPassword: "Grøn kaffekop på månen 7", repeatPassword: "Grøn kaffekop på månen 7" };
    for (const attempt of [
      at.portal.as(person, changePassword, { ...pair, currentPassword: PASSWORD }),
      at.portal.as(admin, setUserPassword, { ...pair, userId: person.id, currentPassword: PASSWORD }),
      at.portal.as(anonymous, resetPassword, { ...pair, userName: person.userName, token }),
    ])
      await expect(attempt).rejects.toMatchObject({ name: "invalid", text: PASSWORDS_UNUSED });
    expect(await at.portal.as(person, readProfile, {})).toMatchObject({ usesPassword: false });
  });
});

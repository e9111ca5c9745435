import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProviderPeer,
  startIdentityProvider,
} from "../../../tests/support/peers/identity-provider";
import { createOpenIdProvider } from "./openid.server";
import type { IdentityProviderSettings } from "./port";

const HERE = "https://henvis.test/login/ekstern/personale";

let peer: IdentityProviderPeer;
beforeAll(async () => {
  peer = await startIdentityProvider([HERE]);
});
afterAll(() => peer.stop());

const settings = (more: Partial<IdentityProviderSettings> = {}): IdentityProviderSettings => ({
  issuer: peer.issuer,
  clientId: CLIENT_ID,
  proof: { secret: CLIENT_SECRET },
  label: "Log ind med Region Midtjylland",
  scope: "openid profile email",
  nameClaims: ["preferred_username"],
  acrValues: [],
  rolesByGroup: null,
  ...more,
});

async function signIn(more: Partial<IdentityProviderSettings> = {}) {
  const provider = createOpenIdProvider(settings(more));
  const { address, round } = await provider.begin(HERE);
  const answer = new URL(await peer.walk(address));
  return { provider, round, answer, identity: () => provider.finish(answer, round) };
}

describe("who came back", () => {
  test("is named by issuer, subject and the claim of the settings", async () => {
    peer.sits({
      subject: "anna-1",
      claims: { preferred_username: "annasor", given_name: "Anna", family_name: "Sørensen", groups: ["henvis-admin"] },
    });
    const { identity } = await signIn();
    expect(await identity()).toEqual({
      issuer: peer.issuer,
      subject: "anna-1",
      name: "annasor",
      isEmail: false,
      hasSecondFactor: false,
      groups: ["henvis-admin"],
      person: { firstName: "Anna", lastName: "Sørensen", email: null },
    });
  });

  test("may be named by several claims, whose names may contain dots", async () => {
    peer.sits({ subject: "erhverv", claims: { "nemlogin.cvr": "12345678", rid: "98765" } });
    const { identity } = await signIn({ nameClaims: ["nemlogin.cvr", "rid"] });
    expect((await identity()).name).toBe("12345678+98765");
  });

  test("has no name where the e-mail is not verified", async () => {
    for (const email_verified of [true, false]) {
      peer.sits({ subject: `mail-${email_verified}`, claims: { email: "a@eksempel.dk", email_verified } });
      const { identity } = await signIn({ nameClaims: ["email"] });
      expect(await identity()).toMatchObject({ name: email_verified ? "a@eksempel.dk" : null, isEmail: true });
    }
  });

  test.each([
    [["pwd"], false],
    [["otp"], false],
    [["pwd", "otp"], true],
    [["mfa"], true],
  ])("has a second factor by amr %j: %s", async (amr, hasSecondFactor) => {
    peer.sits({ subject: amr.join("-"), amr });
    const { identity } = await signIn();
    expect((await identity()).hasSecondFactor).toBe(hasSecondFactor);
  });

  test("has a second factor by the acr that is asked for, and is too weak without it", async () => {
    peer.sits({ subject: "strong", acr: "substantial" });
    expect((await (await signIn({ acrValues: ["substantial"] })).identity()).hasSecondFactor).toBe(true);
    peer.sits({ subject: "weak", acr: "low" });
    await expect((await signIn({ acrValues: ["substantial"] })).identity()).rejects.toMatchObject({ fault: "tooWeak" });
  });
});

describe("an answer is refused", () => {
  test("when the person cancelled", async () => {
    peer.sits({ subject: "x", cancels: true });
    await expect((await signIn()).identity()).rejects.toMatchObject({ fault: "cancelled" });
  });

  test("when its code is used a second time", async () => {
    peer.sits({ subject: "twice" });
    const { identity } = await signIn();
    await identity();
    await expect(identity()).rejects.toMatchObject({ fault: "expired" });
  });

  test("when state, nonce or PKCE belong to another sign-in", async () => {
    peer.sits({ subject: "other" });
    const { round: other } = await signIn();
    for (const [name, fault] of [
      ["state", "expired"],
      ["nonce", "untrusted"],
      ["verifier", "expired"],
    ] as const) {
      const { provider, round, answer } = await signIn();
      await expect(provider.finish(answer, { ...round, [name]: other[name] }), name).rejects.toMatchObject({ fault });
    }
  });

  test("when another issuer claims to send it", async () => {
    peer.sits({ subject: "mixed-up" });
    const { provider, round, answer } = await signIn();
    answer.searchParams.set("iss", "https://ond.example");
    await expect(provider.finish(answer, round)).rejects.toMatchObject({ fault: "untrusted" });
  });

  test("when the portal's secret is wrong, without naming it", async () => {
    peer.sits({ subject: "wrong-secret" });
    const { identity } = await signIn({ proof: { secret: "another secret" } });
    await expect(identity()).rejects.toMatchObject({
      fault: "unavailable",
      detail: expect.not.stringContaining("another secret") as string,
    });
  });
});

test("a provider that is away is asked again by the next person", async () => {
  const away = await startIdentityProvider([HERE]);
  const { port } = new URL(away.issuer);
  await away.stop();
  const provider = createOpenIdProvider(settings({ issuer: away.issuer }));
  await expect(provider.begin(HERE)).rejects.toMatchObject({ fault: "unavailable" });
  expect(await provider.signOutAddress(HERE)).toBeNull();
  const back = await startIdentityProvider([HERE], Number(port));
  expect((await provider.begin(HERE)).address).toContain("code_challenge_method=S256");
  expect(await provider.signOutAddress(HERE)).toContain("/session/end?");
  await back.stop();
});

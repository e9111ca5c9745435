import { describe, expect, test } from "vitest";
import { errorsOf, production } from "../../tests/support/config-errors";
import { loadConfig } from "./config.server";

const staff = {
  OIDC_STAFF_ISSUER: "https://login.region.dk/realm",
  OIDC_STAFF_CLIENT_ID: "henvisning",
  OIDC_STAFF_CLIENT_SECRET: "secret",
  OIDC_STAFF_LABEL: "Log ind med Region Midtjylland",
};
const load = (env: Record<string, string>) => loadConfig({ ...production, ...env }).signIn;

describe("sign-in at an identity provider", () => {
  test("is off without settings, and has defaults with the needed ones", () => {
    expect(load({})).toEqual({ staff: null, referrers: null, password: "on", newReferrersClinicId: null });
    expect(load(staff).staff).toEqual({
      issuer: "https://login.region.dk/realm",
      clientId: "henvisning",
      proof: { secret: "secret" },
      label: "Log ind med Region Midtjylland",
      scope: "openid profile email",
      nameClaims: ["preferred_username"],
      acrValues: [],
      rolesByGroup: null,
    });
  });

  test("reads claims, ways of signing in, groups and the clinic of new referrers", () => {
    const read = load({
      ...staff,
      OIDC_STAFF_GROUPS: "henvis-admin=Admin,henvis-kirurg=Surgeon",
      OIDC_STAFF_ACR: "urn:substantial urn:high",
      OIDC_REFERRER_ISSUER: "https://broker.eksempel.dk",
      OIDC_REFERRER_CLIENT_ID: "henvisning",
      OIDC_REFERRER_CLIENT_KEY_FILE: "package.json",
      OIDC_REFERRER_LABEL: "Log ind med MitID Erhverv",
      OIDC_REFERRER_CLAIM: "nemlogin.cvr+rid",
      OIDC_REFERRER_CREATE: "on",
      OIDC_REFERRER_CREATE_CLINIC: "7",
      PASSWORD_SIGN_IN: "off",
    });
    expect(read.staff?.rolesByGroup?.get("henvis-kirurg")).toBe("Surgeon");
    expect(read.staff?.acrValues).toEqual(["urn:substantial", "urn:high"]);
    expect(read.referrers).toMatchObject({
      nameClaims: ["nemlogin.cvr", "rid"],
      proof: { privateKey: expect.stringContaining("{") as string },
    });
    expect([read.password, read.newReferrersClinicId]).toEqual(["off", 7]);
  });

  test.each([
    [{ OIDC_STAFF_ISSUER: "http://login.region.dk" }, "OIDC_STAFF_ISSUER: must begin with https://"],
    [
      { OIDC_STAFF_ISSUER: "https://login.microsoftonline.com/common/v2.0" },
      "OIDC_STAFF_ISSUER: must name one organisation's tenant, not `common`",
    ],
    [{ OIDC_STAFF_LABEL: "" }, "OIDC_STAFF_LABEL: is required with OIDC_STAFF_ISSUER"],
    [{ OIDC_STAFF_CLIENT_SECRET: "" }, /^OIDC_STAFF_CLIENT_SECRET: either it or OIDC_STAFF_CLIENT_KEY_FILE/],
    [{ OIDC_STAFF_CLIENT_KEY_FILE: "package.json" }, /^OIDC_STAFF_CLIENT_SECRET: either it or/],
    [{ OIDC_STAFF_GROUPS: "alle=Dentist" }, /^OIDC_STAFF_GROUPS: must be pairs/],
    [{ OIDC_STAFF_SCOPE: "profile" }, "OIDC_STAFF_SCOPE: must contain openid"],
    [{ OIDC_REFERRER_CREATE: "on" }, /^OIDC_REFERRER_/],
    [{ PASSWORD_SIGN_IN: "off" }, /^OIDC_REFERRER_ISSUER: is required with PASSWORD_SIGN_IN=off/],
    [{ PASSWORD_SIGN_IN: "sometimes" }, "PASSWORD_SIGN_IN: must be on, staff-off or off"],
  ])("refuses %j", (env, error) => {
    expect(errorsOf({ ...production, ...staff, ...env })[0]).toMatch(error);
  });

  test("keeps passwords for staff unless they have a provider", () => {
    expect(errorsOf({ ...production, PASSWORD_SIGN_IN: "staff-off" })).toEqual([
      expect.stringContaining("OIDC_STAFF_ISSUER: is required"),
    ]);
  });
});

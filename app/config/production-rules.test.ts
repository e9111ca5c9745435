import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { errorsOf, production } from "../../tests/support/config-errors";
import { loadConfig } from "./config.server";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("in production", () => {
  test("a complete environment is accepted and nothing is written", () => {
    expect(loadConfig({ ...production, DATA_DIR: folder, TRUSTED_PROXIES: "10.0.0.1,fd00::/8" })).toMatchObject({
      production: true,
      adminOrigin: "https://klinik.eksempel.dk",
      trustedProxies: ["10.0.0.1", "fd00::/8"],
    });
    expect(() => readFileSync(path.join(folder, "app-secret"))).toThrow("ENOENT");
  });

  test.each(["APP_SECRET", "ADMIN_ORIGIN", "PUBLIC_ORIGIN", "ADMIN_IP_ALLOW", "PARKING_IP_ALLOW"])(
    "requires %s, and does not accept blanks",
    (name) => {
      for (const value of ["", "   "])
        expect(errorsOf({ ...production, [name]: value })).toEqual([
          expect.stringMatching(`^${name}: is required in production`),
        ]);
    },
  );

  test("opens the staff host to everybody only when that is set explicitly", () => {
    expect(loadConfig({ ...production, ADMIN_IP_ALLOW: "any" }).adminIpAllow).toEqual(["0.0.0.0/0", "::/0"]);
  });

  test.each(["a".repeat(64), "abcd1234".repeat(8), "hemmelig".repeat(5), "0123456789".repeat(4)])(
    "does not accept %s as a secret",
    (APP_SECRET) => {
      expect(errorsOf({ ...production, APP_SECRET })).toEqual([expect.stringContaining("APP_SECRET: is too regular")]);
    },
  );

  test.each([
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "9876543210zyxwvutsrqponmlkjihgfedcba",
    "qwertyuiopasdfghjklzxcvbnm-asdfghjkl",
    "this is the secret of our clinic in Aarhus 2026",
    "Klinikkens-Hemmelighed-Som-Ingen-Kender-7",
    "DET-ER-VORES-HEMMELIGHED-OG-INGEN-ANDENS",
  ])("does not accept the words %s as a secret in production", (made) => {
    for (const name of ["APP_SECRET", "SMS_WEBHOOK_SECRET", "METRICS_TOKEN"]) {
      expect(errorsOf({ ...production, SMS_TOKEN: "token", [name]: made })).toEqual([
        `${name}: must be random, not words or a run of letters: \`openssl rand -base64 48\` makes one`,
      ]);
      expect(errorsOf({ DATA_DIR: folder, SMS_TOKEN: "token", [name]: made })).toEqual([]);
    }
  });

  test.each(["0.0.0.0/0", "::/0", "10.0.0.2,0.0.0.0/0", "::ffff:0.0.0.0/96"])(
    "refuses %s as TRUSTED_PROXIES: every caller would name their own address",
    (TRUSTED_PROXIES) => {
      expect(errorsOf({ ...production, TRUSTED_PROXIES })).toEqual([
        "TRUSTED_PROXIES: must name the proxies, not every address",
      ]);
    },
  );

  test("accepts the output of any common tool as a secret", () => {
    for (const coding of ["hex", "base64", "base64url"] as const) {
      for (const bytes of [24, 36, 48])
        expect(errorsOf({ ...production, APP_SECRET: randomBytes(bytes).toString(coding) })).toEqual([]);
    }
  });

  test("requires https, except for a local trial, and two different hosts", () => {
    expect(errorsOf({ ...production, ADMIN_ORIGIN: "http://klinik.eksempel.dk" })).toEqual([
      "ADMIN_ORIGIN: must begin with https:// in production",
    ]);
    expect(errorsOf({ ...production, PUBLIC_ORIGIN: "http://www.eksempel.dk" })).toEqual([
      "PUBLIC_ORIGIN: must begin with https:// in production",
    ]);
    expect(errorsOf({ ...production, PUBLIC_ORIGIN: `${production.ADMIN_ORIGIN}/` })).toEqual([
      "PUBLIC_ORIGIN: must be another host than ADMIN_ORIGIN in production",
    ]);
    expect(
      errorsOf({ ...production, ADMIN_ORIGIN: "http://localhost:3000", PUBLIC_ORIGIN: "http://127.0.0.1:3000" }),
    ).toEqual([]);
  });

  test.each([
    ["SMS_URL", "http://sms.eksempel.dk", "SMS_INSECURE"],
    ["MOTORAPI_URL", "http://biler.eksempel.dk", "MOTORAPI_INSECURE"],
    ["CLAMD_URL", "tcp://10.0.0.9:3310", "CLAMD_INSECURE"],
  ])("refuses %s=%s, which is reached in clear, unless %s says that it is on purpose", (name, url, permit) => {
    expect(errorsOf({ ...production, [name]: url })).toEqual([
      `${name}: is reached without TLS in production; name an encrypted address, or set ${permit}=said-on-purpose`,
    ]);
    expect(errorsOf({ ...production, [name]: url, [permit]: "yes" })).toContain(
      `${permit}: must be empty or said-on-purpose`,
    );
    expect(errorsOf({ ...production, [name]: url, [permit]: "said-on-purpose" })).toEqual([]);
    for (const own of ["127.0.0.1", "[::1]", "localhost"])
      expect(errorsOf({ ...production, [name]: url.replace(/10\.0\.0\.9|[a-z]+\.eksempel\.dk/, own) })).toEqual([]);
    expect(errorsOf({ [name]: url })).toEqual([]);
  });

  test("mail and database are reached over TLS, unless local or said on purpose", () => {
    const settings = { SMTP_URL: "smtp://mail.eksempel.dk", DATABASE_URL: "mysql://portal:x@db.eksempel.dk/portal" };
    const loaded = (more: Record<string, string>) => {
      const { smtpRequiresTls, databaseTls } = loadConfig({ ...production, DATA_DIR: folder, ...settings, ...more });
      return [smtpRequiresTls, databaseTls];
    };
    expect(loaded({})).toEqual([true, { caFile: null }]);
    expect(loaded({ DATABASE_CA_FILE: import.meta.filename })).toEqual([true, { caFile: import.meta.filename }]);
    expect(loaded({ SMTP_INSECURE: "said-on-purpose", DATABASE_INSECURE: "said-on-purpose" })).toEqual([false, null]);
    expect(loaded({ SMTP_URL: "smtp://127.0.0.1:25", DATABASE_URL: "mysql://portal:x@[::1]/portal" })).toEqual([
      false,
      null,
    ]);
    expect(loadConfig({ DATA_DIR: folder, ...settings })).toMatchObject({ smtpRequiresTls: false, databaseTls: null });
  });

  test("in production staff need a second factor unless it is said otherwise", () => {
    const rulesOf = (env: Record<string, string>) => loadConfig({ DATA_DIR: folder, ...env }).secondFactor;
    expect(rulesOf(production)).toEqual({ staff: "required", referrers: "optional" });
    expect(rulesOf({})).toEqual({ staff: "optional", referrers: "optional" });
    const said = { SECOND_FACTOR: "off", SECOND_FACTOR_REFERRERS: "required" };
    expect(rulesOf({ ...production, ...said })).toEqual({ staff: "off", referrers: "required" });
    expect(rulesOf({ ...production, SECOND_FACTOR: "staff" }).staff).toBe("required");
    expect(errorsOf({ ...production, SECOND_FACTOR: "always" })).toEqual([
      "SECOND_FACTOR: must be off, optional or required",
    ]);
  });

  test("reports missing and invalid values together", () => {
    expect(errorsOf({ NODE_ENV: "production", PORT: "x" })).toHaveLength(6);
  });
});

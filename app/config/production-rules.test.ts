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

  test("reports missing and invalid values together", () => {
    expect(errorsOf({ NODE_ENV: "production", PORT: "x" })).toHaveLength(6);
  });
});

import { describe, expect, test } from "vitest";
import { loadConfig } from "~/config/config.server";
import { addressIn, resolveSite, isServedOn } from "./sites.server";

const SECRET = "kT3vQ9xLm2Zr8WfJ6hYpD4sBnC7gAe5u";
const production = loadConfig({
  NODE_ENV: "production",
  DATA_DIR: "unused",
  APP_SECRET: SECRET,
  ADMIN_IP_ALLOW: "any",
  PARKING_IP_ALLOW: "any",
  ADMIN_ORIGIN: "https://klinik.eksempel.dk",
  PUBLIC_ORIGIN: "https://www.henvis.eksempel.dk",
});
const development = loadConfig({ NODE_ENV: "development", DATA_DIR: "unused", APP_SECRET: SECRET, PORT: "3000" });

describe("resolveSite", () => {
  test.each([
    ["klinik.eksempel.dk", { kind: "site", site: "staff" }],
    ["KLINIK.Eksempel.dk", { kind: "site", site: "staff" }],
    ["www.henvis.eksempel.dk", { kind: "site", site: "public" }],
    ["henvis.eksempel.dk", { kind: "redirect", to: "https://www.henvis.eksempel.dk" }],
    ["klinik.eksempel.dk.ond.dk", { kind: "unknown" }],
    ["xklinik.eksempel.dk", { kind: "unknown" }],
    ["klinik.eksempel.dk:8443", { kind: "unknown" }],
    ["www.klinik.eksempel.dk", { kind: "unknown" }],
    ["eksempel.dk", { kind: "unknown" }],
    ["localhost:3000", { kind: "unknown" }],
    ["127.0.0.1", { kind: "unknown" }],
    ["", { kind: "unknown" }],
  ])("in production %s", (host, verdict) => {
    expect(resolveSite(production, host)).toEqual(verdict);
  });

  test.each([
    ["localhost:3000", { kind: "site", site: "local" }],
    ["127.0.0.1:3000", { kind: "site", site: "local" }],
    ["[::1]:3000", { kind: "site", site: "local" }],
    ["localhost.ond.dk", { kind: "unknown" }],
  ])("outside production %s", (host, verdict) => {
    expect(resolveSite(development, host)).toEqual(verdict);
  });
});

test("serves a site's own pages, and no page whose path merely begins alike", () => {
  expect(isServedOn("staff", "/management/overview")).toBe(true);
  expect(isServedOn("staff", "/api/x")).toBe(true);
  for (const path of ["/api/x", "/api/radiographs/token/x"]) expect(isServedOn("public", path)).toBe(false);
  expect(isServedOn("public", "/book-parking")).toBe(true);
  expect(isServedOn("staff", "/book-parking")).toBe(false);
  expect(isServedOn("public", "/managementx")).toBe(false);
  expect(isServedOn("public", "/dev/outbox")).toBe(false);
  expect(isServedOn("inside", "/login")).toBe(false);
});

describe("addressIn", () => {
  test.each([
    ["192.0.2.7", true],
    ["192.0.2.255", true],
    ["192.0.3.0", false],
    ["::ffff:192.0.2.7", true],
    ["::ffff:192.0.3.7", false],
    ["198.51.100.4", true],
    ["198.51.100.5", false],
    ["2001:db8:1::5", true],
    ["2001:db8:2::5", false],
    ["2001:0db8:0002:0000:0000:0000:0000:0001", true],
    ["", false],
    ["nonsense", false],
    ["192.0.2.7, 10.0.0.1", false],
  ])("%s", (address, inside) => {
    expect(addressIn(["192.0.2.0/24", "198.51.100.4", "2001:db8:1::/48", "2001:db8:2::1"], address)).toBe(inside);
  });

  test("an empty list admits nobody; a zero prefix of each family admits everybody", () => {
    expect(addressIn([], "192.0.2.7")).toBe(false);
    expect(
      ["192.0.2.7", "2001:db8::1", "::ffff:10.0.0.1"].every((address) => addressIn(["0.0.0.0/0", "::/0"], address)),
    ).toBe(true);
    expect(addressIn(["::/0"], "::ffff:10.0.0.1")).toBe(false);
  });
});

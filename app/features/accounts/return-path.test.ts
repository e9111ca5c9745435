import { expect, test } from "vitest";
import { safeReturn } from "./return-path";

const START = "/management/overview";

test.each([
  ["/management", "/management"],
  ["/management/draft-visits?p=2", "/management/draft-visits?p=2"],
  ["/management/?f=a.b", "/management/?f=a.b"],
  ["/pdf/visit?id=7", "/pdf/visit?id=7"],
  ["/api/docs", "/api/docs"],
  ["/management/€?q=ø", "/management/%E2%82%AC?q=%C3%B8"],
  ["/management/%E2%82%AC", "/management/%E2%82%AC"],
  ["/management/./x/../draft-visits", "/management/draft-visits"],
])("accepts %j as a page of the portal", (to, expected) => {
  expect(safeReturn(to)).toBe(expected);
});

test.each([
  null,
  undefined,
  "",
  "https://ond.dk/",
  "//ond.dk/management",
  "/\\ond.dk",
  "\\/ond.dk",
  "/management\r\nX: y",
  "/management/\0",
  "/management\t/../xr",
  "/managementx",
  "/management/../login",
  "/management/%2e%2e/xr",
  "/pdf/visitor",
  "/management//0101901234",
  "/api/Account",
  "/management/.//0101901234",
  "javascript:alert(1)",
  "management",
  `/management/${"x".repeat(4000)}`,
])("redirects %j to the start page", (to) => {
  expect(safeReturn(to)).toBe(START);
});

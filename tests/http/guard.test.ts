// @module-tag node
import { expect, test } from "vitest";
import { hostCookie } from "~/access/authenticator.server";
import { BROWSER_WARNING_COOKIE } from "~/features/accounts/shell-choices.server";
import { pageTicket } from "../support/form-ticket";
import { demoPortal } from "../support/portals/demo-portal";

const portal = demoPortal({ people: ["admin", "tandlaege"] });

const ask = (address: string, init: RequestInit & { cookie?: string } = {}) =>
  fetch(portal.origin + address, {
    redirect: "manual",
    ...init,
    headers: { ...(init.cookie ? { cookie: init.cookie } : {}), ...init.headers },
  });

const sameOrigin = { "sec-fetch-site": "same-origin" };

const signInForm = () => new URLSearchParams({ intent: "signIn", userName: "tandlaege", password: "Demo1234" });

test("a browser that sends neither Sec-Fetch-Site nor Origin is judged by its Referer", async () => {
  const withHeaders = async (headers: Record<string, string>) =>
    (await ask("/login", { method: "POST", body: signInForm(), headers })).status;
  expect(await withHeaders({ referer: `${portal.origin}/login?to=%2Fmanagement` })).toBe(303);
  expect(await withHeaders({ referer: "http://evil.example/login" })).toBe(403);
  expect(await withHeaders({ referer: "not an address" })).toBe(403);
  expect(await withHeaders({ origin: "null", referer: `${portal.origin}/login` })).toBe(403);
  expect(await withHeaders({ "sec-fetch-site": "cross-site", referer: `${portal.origin}/login` })).toBe(403);
  expect(await withHeaders({})).toBe(403);
  for (const origin of ["null", "https://evil.example"])
    expect(await withHeaders({ "sec-fetch-site": "same-origin", origin })).toBe(403);
  expect(await withHeaders({ "sec-fetch-site": "same-origin", origin: portal.origin })).toBe(303);
});

test("another site cannot send a browser to a GET call that changes something", async () => {
  const lastExport = () =>
    portal.inDatabase((database) => database.prepare("select value from setting where name = 'lastExport.4'").get());
  const dated = (headers: Record<string, string>) =>
    ask("/api/Visits/download/csv/bydates?StartDate=2020-01-01&EndDate=2020-12-31", {
      cookie: portal.cookies.admin!,
      headers,
    });
  const html = { accept: "text/html,application/xhtml+xml" };
  const foreign: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { referer: "https://evil.example/" },
    { origin: "https://evil.example" },
    html,
  ];
  for (const headers of foreign) {
    const answer = await dated(headers);
    expect([answer.status, await answer.json()], JSON.stringify(headers)).toEqual([
      403,
      { message: expect.stringContaining("afvist"), errors: {} },
    ]);
  }
  expect(lastExport()).toBeUndefined();
  const own: Record<string, string>[] = [
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { ...html, referer: `${portal.origin}/management/overview` },
    {},
  ];
  for (const headers of own) expect((await dated(headers)).status, JSON.stringify(headers)).toBeLessThan(300);
});

test.each([
  "/management/%E2%82%AC",
  "/management/€",
  "/management/\0",
  "/management/%00",
  `/management/${"x".repeat(5000)}`,
])("a sign-in with the return path %j redirects within the portal", async (to) => {
  const form = new URLSearchParams({ intent: "signIn", userName: "admin", password: "Demo1234", to });
  const answer = await ask("/login", { method: "POST", headers: sameOrigin, body: form });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toMatch(/^\/management\/[\x21-\x7e]*$/);
  const page = await ask(`/login?to=${encodeURIComponent(to)}`, { cookie: portal.cookies.admin! });
  expect(page.status).toBe(302);
});

test("signing in clears the browser's cache; an old browser is warned once a day", async () => {
  const signedIn = await ask("/login", { method: "POST", headers: sameOrigin, body: signInForm() });
  expect(signedIn.headers.get("clear-site-data")).toBe('"storage"');
  const old = {
    "user-agent":
      "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.77 Safari/537.36",
  };
  const pageAt = async (cookies: string) =>
    (await ask("/management/overview", { cookie: cookies, headers: old })).text();
  expect(await pageAt(portal.cookies.tandlaege!)).toMatch(
    /Din browser er gammel\..*70 00 00 00.*mailto:support@eksempel\.dk/s,
  );
  const closed = await ask("/management", {
    method: "POST",
    cookie: portal.cookies.tandlaege!,
    headers: { ...sameOrigin, ...old },
    body: new URLSearchParams({
      intent: "closeBrowserWarning",
      to: "/management/overview",
      ticket: pageTicket(portal, "tandlaege"),
    }),
  });
  const kept = closed.headers.getSetCookie().find((each) => each.startsWith("browser-warning-seen="));
  expect([closed.status, closed.headers.get("location"), kept]).toEqual([
    303,
    "/management/overview",
    expect.stringContaining("Max-Age=86400"),
  ]);
  expect(await hostCookie(BROWSER_WARNING_COOKIE, true).serialize("1")).toMatch(
    /^__Host-browser-warning-seen=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await pageAt(`${portal.cookies.tandlaege}; ${kept!.split(";")[0]}`)).not.toContain("Din browser er gammel.");
});

test("too many attempts get a Retry-After header", async () => {
  const attempt = () =>
    ask("/login", {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ intent: "signIn", userName: "nobody-at-all", password: "wrong" }),
    });
  let answer = await attempt();
  for (let tries = 0; tries < 15 && answer.status !== 429; tries += 1) answer = await attempt();
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(15 * 60);
});

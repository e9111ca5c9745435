// @module-tag node
import { once } from "node:events";
import http from "node:http";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProviderPeer,
  startIdentityProvider,
} from "../support/peers/identity-provider";
import { demoPortal } from "../support/portals/demo-portal";

const HOSTS = { staff: "klinik.test", public: "www.henvis.test" };
const PAGES = { staff: "/login/ekstern/personale", public: "/login/ekstern/henvisere" };
type Site = keyof typeof HOSTS;

const peer: IdentityProviderPeer = await startIdentityProvider(
  (["staff", "public"] as const).map((site) => `http://${HOSTS[site]}${PAGES[site]}`),
);
const settings = (prefix: string) => ({
  [`${prefix}_ISSUER`]: peer.issuer,
  [`${prefix}_CLIENT_ID`]: CLIENT_ID,
  [`${prefix}_CLIENT_SECRET`]: CLIENT_SECRET,
  [`${prefix}_LABEL`]: `Log ind som ${prefix}`,
});
const portal = demoPortal({
  env: {
    ADMIN_ORIGIN: `http://${HOSTS.staff}`,
    PUBLIC_ORIGIN: `http://${HOSTS.public}`,
    ...settings("OIDC_STAFF"),
    ...settings("OIDC_REFERRER"),
  },
});
afterAll(() => peer.stop());

beforeAll(() => {
  portal.inDatabase((database) => {
    const name = database.prepare("update user set external_identity = ? where user_name = ?");
    for (const who of ["admin", "tandlaege"]) name.run([`hospital-${who}`, who]);
  });
});

interface Answer {
  status: number;
  location: string;
  cookies: string[];
  text: string;
}

/** A request to a host, as a browser with these cookies follows a link of another site. */
const ask = (site: Site, address: string, cookie = "", more: Record<string, string> = {}) =>
  new Promise<Answer>((resolve, reject) => {
    http
      .get(
        portal.origin + address,
        {
          agent: false,
          headers: { host: HOSTS[site], "sec-fetch-site": "cross-site", ...(cookie && { cookie }), ...more },
        },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8");
          answer.on("data", (part: string) => (text += part));
          answer.on("end", () =>
            resolve({
              status: answer.statusCode ?? 0,
              location: answer.headers.location ?? "",
              cookies: answer.headers["set-cookie"] ?? [],
              text,
            }),
          );
        },
      )
      .on("error", reject);
  });

const pathOf = (address: string) => address.replace(/^https?:\/\/[^/]+/, "");
const pairOf = (cookies: string[], name: string) =>
  cookies.find((cookie) => cookie.startsWith(`${name}=`))?.split(";")[0] ?? "";

/** 'Ja, knyt kontoen' of the page before the first binding. */
async function confirm(site: Site, step: string): Promise<Answer> {
  const headers = {
    host: HOSTS[site],
    origin: `http://${HOSTS[site]}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  const { hostname, port } = new URL(portal.origin);
  const sent = http.request({ hostname, port, agent: false, method: "POST", path: "/login", headers });
  sent.end(new URLSearchParams({ intent: "confirmExternalBinding", step }).toString());
  const [answer] = (await once(sent, "response")) as [http.IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    location: answer.headers.location ?? "",
    cookies: answer.headers["set-cookie"] ?? [],
    text: await textOf(answer),
  };
}

async function enter(site: Site, to = "") {
  const begun = await ask(site, PAGES[site] + (to && `?to=${encodeURIComponent(to)}`));
  const back = await peer.walk(begun.location);
  expect(new URL(back).origin + new URL(back).pathname).toBe(`http://${HOSTS[site]}${PAGES[site]}`);
  const round = pairOf(begun.cookies, "sign-in-round");
  const shown = await ask(site, pathOf(back), round);
  const step = /name="step" value="([^"]+)"/.exec(shown.text)?.[1];
  return { back, round, shown, done: step === undefined ? shown : await confirm(site, step) };
}

const sits = (name: string, amr?: string[]) =>
  peer.sits({ subject: `${name}-subject`, claims: { preferred_username: name }, ...(amr && { amr }) });

test.each(["staff", "public"] as const)("the %s host signs in by its own provider", async (site) => {
  const who = site === "staff" ? "admin" : "tandlaege";
  const page = await ask(site, "/login?to=%2Fmanagement%2Fchange-password");
  expect(page.text).toContain(`Log ind som OIDC_${site === "staff" ? "STAFF" : "REFERRER"}`);
  expect(page.text).not.toContain(`Log ind som OIDC_${site === "staff" ? "REFERRER" : "STAFF"}`);
  expect(page.text).toContain(`href="${PAGES[site]}?to=%2Fmanagement%2Fchange-password"`);
  sits(`hospital-${who}`);
  const { done, shown, back, round } = await enter(site, "/management/change-password");
  expect([shown.status, shown.text.includes("Er det dig?"), pairOf(shown.cookies, "session")]).toEqual([200, true, ""]);
  expect(shown.text).toContain(`translate="no">${who}</bdi>)`);
  expect([done.status, done.location]).toEqual([303, "/management/change-password"]);
  expect(done.cookies.find((cookie) => cookie.startsWith("session="))).toMatch(/HttpOnly.*SameSite=Lax/i);
  expect(pairOf(shown.cookies, "sign-in-round")).toBe("sign-in-round=");
  const inside = await ask(site, done.location, pairOf(done.cookies, "session"));
  expect([inside.status, inside.text.includes(`value="${who}"`)]).toEqual([200, true]);
  const again = await ask(site, pathOf(back), round);
  expect([again.status, again.text.includes("udløbet eller allerede brugt"), again.cookies]).toEqual([400, true, []]);
});

test("staff are unknown on the public host, and each address exists on its own alone", async () => {
  sits("hospital-admin");
  const { done } = await enter("public");
  expect([done.status, done.text.includes("ikke knyttet til en bruger")]).toEqual([400, true]);
  expect((await ask("public", PAGES.staff)).status).toBe(404);
  expect((await ask("staff", PAGES.public)).status).toBe(404);
  expect((await ask("staff", "/login/ekstern/andre")).status).toBe(404);
});

test("nobody gets in by another browser's answer", async () => {
  sits("hospital-admin");
  const begun = await ask("staff", PAGES.staff);
  const back = await peer.walk(begun.location);
  const stolen = await ask("staff", pathOf(back));
  expect([stolen.status, pairOf(stolen.cookies, "session")]).toEqual([400, ""]);
});

test.each([
  ["image", "cross-site", 404],
  ["iframe", "same-site", 404],
  ["empty", "cross-site", 404],
  ["document", "cross-site", 302],
])("another site's %s (%s) is answered %i where a sign-in begins", async (use, from, status) => {
  const headers = { "sec-fetch-dest": use, "sec-fetch-site": from };
  expect((await ask("staff", PAGES.staff, "", headers)).status).toBe(status);
});

test("a cancelled sign-in and a provider's error are told in Danish, without a trace", async () => {
  peer.sits({ subject: "x", cancels: true });
  const { done } = await enter("staff");
  expect([done.status, done.text.includes("Login blev afbrudt. Du er ikke logget ind.")]).toEqual([400, true]);
  const begun = await ask("staff", PAGES.staff);
  const state = new URL(begun.location).searchParams.get("state")!;
  const broken = await ask(
    "staff",
    `${PAGES.staff}?error=server_error&state=${state}&iss=${encodeURIComponent(peer.issuer)}`,
    pairOf(begun.cookies, "sign-in-round"),
  );
  expect([broken.status, broken.text.includes("Kan ikke nå login-udbyderen lige nu.")]).toEqual([400, true]);
  expect(done.text + broken.text).not.toMatch(/Error:|at \w+ \(/);
});

test("signing out goes on to the provider's sign-out page", async () => {
  const out = await ask("staff", `${PAGES.staff}?ud=1`);
  const { origin, pathname, searchParams } = new URL(out.location);
  expect([out.status, origin, pathname]).toEqual([302, peer.issuer, "/session/end"]);
  expect(searchParams.get("post_logout_redirect_uri")).toBe(`http://${HOSTS.staff}/login`);
  expect((await ask("staff", "/login?ud=staff")).text).toContain(`href="${PAGES.staff}?ud=1"`);
});

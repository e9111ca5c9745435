// @module-tag node
import { expect, test } from "vitest";
import { createSecrets } from "~/access/secrets.server";
import { SECRET } from "../../scripts/test-server.mjs";
import { pageForm, pageTicket } from "../support/form-ticket";
import { away, demoPortal } from "../support/portals/demo-portal";

const portal = demoPortal({ people: ["admin", "tandlaege"] });

const send = (address: string, init: RequestInit & { cookie?: string } = {}) =>
  fetch(portal.origin + address, {
    redirect: "manual",
    ...init,
    headers: { "sec-fetch-site": "same-origin", ...(init.cookie ? { cookie: init.cookie } : {}), ...init.headers },
  });

const aSentReferral = () =>
  portal.inDatabase((database) =>
    database
      .prepare(
        "select id, version, status_version as statusVersion, status from referral where sent_at is not null limit 1",
      )
      .get(),
  ) as { id: number; version: number; statusVersion: number; status: number };

test("a failed page says so in its title", async () => {
  const cookie = portal.cookies.tandlaege!;
  const titleOf = async (address: string) => {
    const answer = await send(address, { cookie });
    return [answer.status, /<title>(.*?)<\/title>/.exec(await answer.text())?.[1]];
  };
  expect(await titleOf("/management/overview/999999")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
  expect(await titleOf("/management/findes-ikke")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
  expect(await titleOf("/findes-ikke")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
  expect(await titleOf("/build/findes-ikke.js")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
});

test("an unknown address in the portal keeps the tabs", async () => {
  const answer = await send("/management/findes-ikke/her", { cookie: portal.cookies.tandlaege! });
  const text = await answer.text();
  expect([answer.status, text.includes('href="/management/draft-visits"')]).toEqual([404, true]);
  expect(text).toContain("Adressen er skrevet forkert");
});

test("what no route takes is refused alike on every page", async () => {
  const cookie = portal.cookies.admin!;
  const posted = { method: "POST", cookie, body: new URLSearchParams({ intent: "signIn" }) };
  const statusOf = async (address: string, init: Parameters<typeof send>[1] = { cookie }) => {
    const answer = await send(address, init);
    const [text, type] = [await answer.text(), answer.headers.get("content-type")];
    return [answer.status, type?.startsWith("text/html") ? /<title>(.*?)<\/title>/.exec(text)?.[1] : type];
  };
  const page = "Henvisningsportalen - ";
  // A page's data: of a route that is not among its own, of its own, of none.
  expect(await statusOf("/management/sms?_data=routes/management.users")).toEqual([
    403,
    "application/json; charset=utf-8",
  ]);
  expect(await statusOf("/management/SMS?_data=routes/management.sms")).toEqual([
    200,
    "application/json; charset=utf-8",
  ]);
  expect(await statusOf("/findes-ikke?_data=root")).toEqual([404, "application/json; charset=utf-8"]);
  // A page without an action, an address without a page, a file.
  expect(await statusOf("/tilgaengelighed", posted)).toEqual([405, `${page}Det kunne ikke lade sig gøre`]);
  expect(await statusOf("/findes-ikke", posted)).toEqual([404, `${page}Siden findes ikke`]);
  expect(await statusOf("/management/settings/breve/brev.pdf")).toEqual([200, "application/pdf"]);
  expect(await statusOf("/management/overview/17/", { method: "HEAD" })).toEqual([302, null]);
});

test("an error in an open referral, a thread or a setting keeps the page around it", async () => {
  const get = async (address: string) => {
    const answer = await send(address, { cookie: portal.cookies.admin! });
    return { status: answer.status, text: await answer.text() };
  };
  const missing = await get("/management/overview/999999?sort=-1");
  expect([missing.status, missing.text.includes('id="listen"'), missing.text.includes("Siden findes ikke")]).toEqual([
    404,
    true,
    true,
  ]);
  const { id } = aSentReferral();
  await portal.whileBroken(away("visit_log"), async () => {
    const referral = await get(`/management/overview/${id}?sort=-1`);
    expect([referral.status, referral.text.includes("!!! SERVER ERROR !!!")]).toEqual([500, true]);
    expect(referral.text).toContain("<h1>Oversigt</h1>");
  });
  await portal.whileBroken(away("message_template"), async () => {
    const thread = await get(`/management/sms/${id}`);
    expect([thread.status, thread.text.includes("<h1>SMS</h1>")]).toEqual([500, true]);
    const settings = await get("/management/settings/beskeder/callUp/email");
    expect([settings.status, settings.text.includes("Indstillinger</h1>")]).toEqual([500, true]);
  });
});

test("a page is compressed as its browser takes it", async () => {
  const encodingFor = async (accepted: string) =>
    (
      await send("/management/overview", { cookie: portal.cookies.admin!, headers: { "accept-encoding": accepted } })
    ).headers.get("content-encoding");
  expect(await Promise.all(["gzip, deflate, br", "gzip", "identity"].map(encodingFor))).toEqual(["br", "gzip", null]);
});

test("an unknown address leads to the overview or offers to sign out", async () => {
  const unknown = await (await send("/findes-ikke", {})).text();
  expect([unknown.includes("Til oversigten"), unknown.includes("Log ud")]).toEqual([true, false]);
  const cookie = portal.cookies.tandlaege!;
  const denied = await send("/management/users", { cookie });
  expect([denied.status, (await denied.text()).includes("Log ud")]).toEqual([403, true]);
});

test("an error on a public page neither redirects nor signs out", async () => {
  let answer = await send("/xr?tk=nobodys");
  for (let tries = 0; tries < 310 && answer.status !== 429; tries += 1) {
    await answer.arrayBuffer();
    answer = await send("/xr?tk=nobodys");
  }
  expect(answer.status).toBe(429);
  const page = await answer.text();
  expect(page).toContain("Der er forsøgt for mange gange");
  expect(page).not.toMatch(/Til oversigten|Log ud/);
  const unknown = await (await send("/nowhere")).text();
  expect(unknown).toContain("Til oversigten");
});

test("a form at a guessed link is refused beyond the limit, and says for how long", async () => {
  const body = new URLSearchParams({ intent: "confirmAppointment" });
  const press = () => send("/aftale?tk=nobodys", { method: "POST", body });
  let answer = await press();
  for (let tries = 0; tries < 310 && answer.status === 303; tries += 1) answer = await press();
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await answer.text()).toContain("Der er forsøgt for mange gange");
});

const post = (address: string, fields: Record<string, string | number>) => {
  const sent = "ticket" in fields ? fields : pageForm(portal, "admin", fields);
  const body = new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, String(value)]));
  return send(address, { method: "POST", cookie: portal.cookies.admin!, body });
};

test("an unexpected error in an open referral keeps what was typed", async () => {
  const { id, version } = aSentReferral();
  await portal.whileBroken(away("referral_name_token"), async () => {
    const fields = {
      intent: "editPatient",
      referralId: id,
      seenVersion: version,
      cpr6: "690177",
      cpr4: "1999",
      firstName: "Blåbær",
      lastName: "Ærø",
      zip: "5970",
      city: "Ærøskøbing",
    };
    const answer = await post(`/management/overview/${id}?ret=patient`, fields);
    const text = await answer.text();
    expect([
      answer.status,
      text.includes("!!! SERVER ERROR !!! Dine ændringer er ikke gemt."),
      text.includes('value="Blåbær"'),
    ]).toEqual([500, true, true]);
    expect(text).not.toMatch(/referral_name_token|SqliteError/);
  });
});

test("an unexpected error behind GEM shows its own text and keeps the choice", async () => {
  const { id, statusVersion: version, status } = aSentReferral();
  const chosen = status === 15 ? 12 : 15;
  await portal.whileBroken(away("visit_log"), async () => {
    const answer = await post(`/management/overview?f=s${status}`, {
      intent: "setStatus",
      item: `referralId:${id}`,
      ticket: pageTicket(portal, "admin", { items: { referralId: [[id, version]] } }),
      status: chosen,
    });
    const page = await answer.text();
    const row = new RegExp(`<tr id="r${id}".*?</tr>`, "s").exec(page)?.[0];
    expect([
      answer.status,
      page.includes("!!! SERVER ERROR !!! Dine ændringer er ikke gemt."),
      row?.includes('data-state="failure"'),
      new RegExp(`<option (?=[^>]*value="${chosen}")[^>]*selected`).test(row ?? ""),
    ]).toEqual([500, true, true, true]);
    expect(page).not.toMatch(/visit_log|SqliteError/);
  });
});

test("shows a page though nothing can be written", async () => {
  portal.inDatabase((database) => {
    const secrets = createSecrets(SECRET, null);
    const messages = JSON.stringify([{ tone: "info", text: "Husk det", id: "1" }]);
    for (const { id } of database.prepare("select id from session").all() as { id: string }[])
      database
        .prepare("update session set last_seen_at = '2026-01-01T00:00:00.000Z', flash_sealed = ? where id = ?")
        .run(secrets.encrypt("seal", messages, `session.flash ${id}`), id);
    for (const [table, verb] of [
      ["session", "update"],
      ["user", "update"],
      ["audit_event", "insert"],
    ])
      database.exec(
        `create trigger full_${table} before ${verb} on ${table} begin select raise(abort, 'database or disk is full'); end`,
      );
  });
  try {
    const page = await send("/management/overview", { cookie: portal.cookies.admin! });
    expect([page.status, (await page.text()).includes("Husk det")]).toEqual([200, true]);
    const { id } = aSentReferral();
    expect((await send(`/management/overview/${id}`, { cookie: portal.cookies.admin! })).status).toBe(200);
  } finally {
    portal.inDatabase((database) => {
      for (const table of ["session", "user", "audit_event"]) database.exec(`drop trigger full_${table}`);
    });
  }
});

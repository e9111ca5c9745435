import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { keyScopes } from "~/access/actor";
import { apiCalls } from "~/http/api/api-calls.server";
import { formOf, patient } from "./api/api-portal";
import { apiKeyPortal, PUBLIC_HOST, STAFF_HOST } from "./api-key-portal";

const { portal, referrals, makeKey, call, clinicOf } = apiKeyPortal();

const filled = (address: string) =>
  address
    .replace("{id}", String(referrals.own))
    .replace(/\{(?:cpr|token)\}/, "610190-1001")
    .replace(/\{\w+\}/g, "1");
const nameOf = ({ method, path: pattern }: (typeof apiCalls)[number]) => `${method} ${pattern}`;

test("the table and the description hold every call of specified-calls.txt", async () => {
  const specified = readFileSync(path.join(import.meta.dirname, "specified-calls.txt"), "utf8")
    .trim()
    .split("\n");
  expect(specified).toHaveLength(108);
  const shapeOf = (name: string) => name.replace(/\{\w*\}/g, "{}").toLowerCase();
  // One call names its kind of file in the path: diagnose or rentgen.
  const known = apiCalls.map(nameOf).map((name) => shapeOf(name).replace(/\/(diagnose|rentgen)(?=\/\{\}$)/, "/{}"));
  const unwritten = specified.filter(
    (name) => !known.includes(shapeOf(name)) && !apiCalls.map(nameOf).map(shapeOf).includes(shapeOf(name)),
  );
  expect(unwritten).toEqual([]);

  const key = makeKey(["statistics"]);
  const answer = await call(key, "GET /openapi.json");
  const description = JSON.parse(answer.text) as {
    paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>;
    components: { securitySchemes: Record<string, { type: string }> };
  };
  const described = Object.entries(description.paths).flatMap(([address, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${address}`),
  );
  expect(described.sort()).toEqual(apiCalls.map(nameOf).sort());
  expect(Object.keys(description.components.securitySchemes)).toEqual(["session", "apiKey"]);
  for (const route of apiCalls) {
    const ways = description.paths[route.path]![route.method.toLowerCase()]!.security;
    const scopes = ways.find((way) => "apiKey" in way)?.apiKey;
    expect(scopes, nameOf(route)).toEqual(
      route.scope === null ? undefined : route.scope === "any" ? [] : [route.scope],
    );
  }
});

test.each(keyScopes)("a key of the scope %s opens the calls of that scope, and no other", async (scope) => {
  const key = makeKey([scope]);
  for (const route of apiCalls) {
    const kind = route.body?.type;
    const body = kind === "form" ? formOf({ a: "b" }) : "{}";
    const { status, text } = await call(key, `${route.method} ${filled(route.path)}`, kind ? { body } : {});
    const name = `${nameOf(route)} ${text.slice(0, 200)}`;
    if (route.scope === scope || route.scope === "any") expect([401, 403, 500], name).not.toContain(status);
    else expect(status, name).toBe(403);
  }
});

test("of one clinic a key sees another's referral as if it were not there", async () => {
  const key = makeKey(["read", "messages", "refer"], { clinicId: clinicOf("tandlaege"), userName: "tandlaege" });
  const ask = async (name: string, body?: string | FormData) => {
    const [method, address] = name.split(" ") as [string, string];
    const at = async (id: number) => {
      const { status, text } = await call(
        key,
        `${method} ${address.replace("{id}", String(id))}`,
        body ? { body } : {},
      );
      return [status, text];
    };
    return { own: await at(referrals.own), other: await at(referrals.other), none: await at(999_999) };
  };
  for (const name of [
    "GET /Visits/{id}",
    "GET /Pdf/Visit/{id}",
    "GET /Visits/{id}/messages",
    "GET /Visits/{id}/patientinfo",
    "GET /Visits/{id}/download/radiographs",
  ]) {
    const answers = await ask(name);
    expect(answers.own[0], name).toBe(200);
    expect(answers.other, name).toEqual(answers.none);
    expect(answers.other[0], name).toBe(404);
  }
  const written = await ask("POST /Visits/{id}/messages", formOf({ Text: "Fra journalsystemet" }));
  expect([written.own[0], written.other[0]]).toEqual([204, 404]);
  const listed = JSON.parse((await call(key, "GET /Visits")).text) as {
    paginationResult: { entities: { id: number }[] };
  };
  const ids = listed.paginationResult.entities.map(({ id }) => id);
  expect(ids).toContain(referrals.own);
  expect(ids).not.toContain(referrals.other);
});

test("without a good key it is 401 at once, and 429 beyond the limit", async () => {
  const key = makeKey(["read"]);
  expect((await call(key, "GET /Visits")).status).toBe(200);
  portal.inDatabase((database) =>
    database
      .prepare("update api_key set revoked_at = '2026-01-01T00:00:00.000Z' where key_hash = ?")
      .run(createHash("sha256").update(key).digest("hex")),
  );
  for (const bad of [key, makeKey(["read"], { expires: "2020-01-01T00:00:00.000Z" }), "hp_nobodys"]) {
    const { status, headers } = await call(bad, "GET /Visits");
    expect([status, headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    expect((await call(bad, "POST /Visits/patientinfo", { body: formOf(patient("610190-1001")) })).status).toBe(401);
    // Not even public calls: a request with a key is judged by it.
    expect((await call(bad, "GET /Umbraco/management")).status).toBe(401);
  }
  expect((await call(makeKey(["read"], { addresses: "192.0.2.0/24" }), "GET /Visits")).status).toBe(401);
  const slow = makeKey(["read"], { perMinute: 2 });
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await call(slow, "GET /TreatmentTypes")).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect(Number((await call(slow, "GET /TreatmentTypes")).headers["retry-after"])).toBeLessThanOrEqual(60);
});

test("the public host serves calls with a key, and those that name it", async () => {
  const key = makeKey(["read"]);
  for (const host of [STAFF_HOST, PUBLIC_HOST]) expect((await call(key, "GET /Visits", { host })).status).toBe(200);
  const bare = async (host: string, name: string) => (await call(null, name, { host })).status;
  expect([await bare(STAFF_HOST, "GET /Visits"), await bare(PUBLIC_HOST, "GET /Visits")]).toEqual([401, 404]);
  expect((await call("hp_nobodys", "GET /Visits", { host: PUBLIC_HOST })).status).toBe(401);
  const open = apiCalls.filter(({ sites }) => sites.includes("public"));
  expect(open.map(nameOf).sort()).toEqual([
    "GET /radiographs/download/token/{token}",
    "GET /radiographs/token/{token}",
    "GET /radiographs/{id}/download/token/{token}",
    "GET /termination-letter-zip/token/{token}",
    "POST /Parking/create-booking-for-new-patient",
    "POST /Parking/get-car-info",
  ]);
  for (const route of open) {
    const headers = { origin: `http://${PUBLIC_HOST}` };
    const answer = await call(null, `${route.method} ${filled(route.path)}`, {
      host: PUBLIC_HOST,
      headers,
      ...(route.body ? { body: "{}" } : {}),
    });
    expect([400, 403], nameOf(route)).toContain(answer.status);
  }
});

test("a key is no session: it gets no cookie, none helps it, and it opens no page", async () => {
  const cookie = portal.cookies.admin!;
  const key = makeKey(["statistics"]);
  const refused = await call(key, "GET /Visits", { headers: { cookie } });
  expect(refused.status).toBe(403);
  const signedIn = await call(key, "POST /Account/SignIn", {
    body: JSON.stringify({ userName: "admin", password: "Demo1234" }),
  });
  expect([signedIn.status, signedIn.headers["set-cookie"]]).toEqual([403, undefined]);
  const read = makeKey(["read"]);
  expect((await call(read, "GET /Visits")).headers["set-cookie"]).toBeUndefined();
  const page = await fetch(`${portal.origin}/management/overview`, {
    redirect: "manual",
    headers: { authorization: `Bearer ${read}` },
  });
  expect([page.status, page.headers.get("location")]).toEqual([302, expect.stringContaining("/login")]);
});

test("no Origin is asked of a key; of a cookie it still is", async () => {
  const cookie = portal.cookies.admin!;
  const key = makeKey(["messages"]);
  const write = async (who: string | null, headers: Record<string, string>) =>
    (await call(who, `POST /Visits/${referrals.own}/messages/read`, { headers, body: '{"read":true}' })).status;
  expect(await write(key, {})).toBe(204);
  expect(await write(key, { origin: "https://andet.eksempel.dk", "sec-fetch-site": "cross-site" })).toBe(204);
  expect(await write(null, { cookie })).toBe(403);
  expect(await write(null, { cookie, origin: "https://andet.eksempel.dk" })).toBe(403);
  expect(await write(null, { cookie, authorization: "Basic YTpi" })).toBe(403);
  expect(await write(null, { cookie, origin: portal.origin })).toBe(204);
});

test("an appointments key brings the day's file", async () => {
  const key = makeKey(["appointments"]);
  const file = new File(["CPR;Dato;Tid;Kode\r\n610190-1001;2027-01-04;10:00;A1\r\n"], "tider.csv", {
    type: "text/csv",
  });
  const field = Object.keys(apiCalls.find((each) => nameOf(each) === "POST /Appointments/csv/upload")!.body!.files)[0]!;
  const brought = await call(key, "POST /Appointments/csv/upload", { body: formOf({ [field]: [file] }) });
  expect(brought.status, brought.text).toBe(200);
});

test("every call is in the audit with the key's name, refused or not", async () => {
  const key = makeKey(["read"]);
  const { id } = portal.inDatabase((database) => database.prepare("select max(id) as id from api_key").get()) as {
    id: number;
  };
  await call(key, `GET /Visits/${referrals.own}`);
  await call(key, "GET /TreatmentTypes");
  await call(key, "GET /Visits?CurrentPage=hej");
  await call(key, "GET /Users");
  const rows = () =>
    portal.inDatabase((database) =>
      database
        .prepare("select operation, outcome, actor_kind, actor_id from audit_event where api_key_id = ? order by id")
        .all(id),
    ) as Record<string, unknown>[];
  await expect.poll(() => rows().length).toBe(4);
  expect(rows().map(({ operation, outcome }) => `${String(operation)} ${String(outcome)}`)).toEqual([
    "readReferral seen",
    "listTreatmentTypes seen",
    "listReferrals refused",
    "listUsers refused",
  ]);
  expect(rows().every((row) => row.actor_kind === "apiKey" && row.actor_id === null)).toBe(true);
  const cookie = portal.cookies.admin!;
  const log = await fetch(`${portal.origin}/management/logs?type=adgang`, { headers: { cookie } });
  expect(await log.text()).toContain("API-nøgle: Nøgle read");
});

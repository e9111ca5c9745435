import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KeyScope, keyScopes } from "~/access/api-key-scopes";
import { apiCalls } from "~/http/api/api-calls.server";
import { makeDemoData, signIn, startServer } from "../../scripts/test-server.mjs";
import { patient } from "./api/api-portal";

const [STAFF_HOST, PUBLIC_HOST] = ["klinik.eksempel.test", "www.henvis.eksempel.test"];

let portal: Awaited<ReturnType<typeof startServer>>;
let dataDir: string;
let own: number;
let other: number;

function inDatabase<T>(work: (database: InstanceType<typeof Database>) => T): T {
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

interface Made {
  clinicId?: number | null;
  userName?: string;
  expires?: string;
  addresses?: string;
  perMinute?: number;
}

/** A key as the settings make it, without its form; the form is tried by itself below. */
function makeKey(scopes: KeyScope[], { clinicId = null, userName = "admin", ...more }: Made = {}): string {
  const token = `hp_${randomBytes(32).toString("base64url")}`;
  const { expires = "2999-01-01 00:00:00.000", addresses = "", perMinute = 6000 } = more;
  inDatabase((database) =>
    database
      .prepare(
        `insert into api_key (name, key_hash, key_hint, scopes, clinic_id, user_id, creator_id, addresses, calls_per_minute, created_at, expires_at)
         select ?, ?, ?, ?, ?, writer.id, maker.id, ?, ?, '2026-01-01 00:00:00.000', ?
         from user writer, user maker where writer.user_name = ? and maker.user_name = 'admin'`,
      )
      .run(
        `Nøgle ${scopes.join("+")}`,
        createHash("sha256").update(token).digest("hex"),
        token.slice(0, 7),
        scopes.join(","),
        clinicId,
        addresses,
        perMinute,
        expires,
        userName,
      ),
  );
  return token;
}

interface Sent {
  host?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
}

/** A call as another system makes it: no cookie, no Origin. */
async function call(key: string | null, name: string, { host, headers = {}, body }: Sent = {}) {
  const [method, address] = name.split(" ") as [string, string];
  const content = body === undefined ? null : new Response(body);
  const bytes = content && Buffer.from(await content.arrayBuffer());
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const asked = request(
      `${portal.origin}/api${address}`,
      {
        method,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(host === undefined ? {} : { host }),
          ...(bytes === null ? {} : { "content-length": String(bytes.length) }),
          ...(content?.headers.get("content-type")
            ? {
                "content-type":
                  typeof body === "string" ? "application/json" : (content.headers.get("content-type") as string),
              }
            : {}),
          ...headers,
        },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode!, text, headers: answer.headers }));
      },
    );
    asked.on("error", reject);
    asked.end(bytes ?? undefined);
  });
}

const clinicOf = (userName: string) =>
  (
    inDatabase((database) =>
      database
        .prepare("select clinic_id as id from user_clinic c join user u on u.id = c.user_id where u.user_name = ?")
        .get(userName),
    ) as { id: number }
  ).id;

const formOf = (fields: Record<string, string | number | Blob>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value instanceof Blob) form.append(name, value, (value as File).name);
    else form.append(name, String(value));
  return form;
};
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** The whole wizard with a key. */
async function refer(key: string, cpr: string, doctor: string): Promise<number> {
  const begun = await call(key, "POST /Visits/patientinfo", { body: formOf(patient(cpr)), host: PUBLIC_HOST });
  expect(begun.status, begun.text).toBe(200);
  const { visitId } = JSON.parse(begun.text) as { visitId: number };
  const doctors = JSON.parse((await call(key, "GET /Doctors")).text) as { id: number; fullName: string }[];
  const doctorId = inDatabase(
    (database) => (database.prepare("select id from user where user_name = ?").get(doctor) as { id: number }).id,
  );
  expect(doctors.map(({ id }) => id)).toContain(doctorId);
  const named = await call(key, `POST /Visits/${visitId}/doctorinfo`, { body: JSON.stringify({ doctorId }) });
  expect(named.status, named.text).toBe(204);
  const picture = new File([pixel, cpr], "panorama.png", { type: "image/png" });
  const images = formOf({ RadiographsSendType: 0, RadiographFileTypes: "[2]", Radiographs: picture });
  const sent = await call(key, `POST /Visits/${visitId}/radiographs`, { body: images });
  expect(sent.status, sent.text).toBe(204);
  return visitId;
}

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-keys-"));
  makeDemoData(dataDir, 5);
  portal = await startServer({
    env: {
      NODE_ENV: "development",
      DATA_DIR: dataDir,
      ADMIN_ORIGIN: `http://${STAFF_HOST}`,
      PUBLIC_ORIGIN: `http://${PUBLIC_HOST}`,
    },
  });
  const ours = makeKey(["refer"], { clinicId: clinicOf("tandlaege"), userName: "tandlaege" });
  const theirs = makeKey(["refer"], { clinicId: clinicOf("tandlaege2"), userName: "tandlaege2" });
  own = await refer(ours, "610190-1001", "tandlaege");
  other = await refer(theirs, "620191-1002", "tandlaege2");
}, 120_000);

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const filled = (address: string) =>
  address
    .replace("{id}", String(own))
    .replace(/\{(?:cpr|token)\}/, "610190-1001")
    .replace(/\{\w+\}/g, "1");
const nameOf = ({ method, path: pattern }: (typeof apiCalls)[number]) => `${method} ${pattern}`;

test("the table of calls and the API description hold every call of specified-calls.txt", async () => {
  const specified = readFileSync(path.join(import.meta.dirname, "specified-calls.txt"), "utf8")
    .trim()
    .split("\n");
  expect(specified).toHaveLength(108);
  const shapeOf = (name: string) => name.replace(/\{\w*\}/g, "{}").toLowerCase();
  // One specified call names its kind of file in the path: diagnose or rentgen.
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
    return { own: await at(own), other: await at(other), none: await at(999_999) };
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
  expect(ids).toContain(own);
  expect(ids).not.toContain(other);
});

test("without a good key it is 401 at once: unknown, expired, revoked; and 429 beyond its calls a minute", async () => {
  const key = makeKey(["read"]);
  expect((await call(key, "GET /Visits")).status).toBe(200);
  inDatabase((database) =>
    database
      .prepare("update api_key set revoked_at = '2026-01-01 00:00:00.000' where key_hash = ?")
      .run(createHash("sha256").update(key).digest("hex")),
  );
  for (const bad of [key, makeKey(["read"], { expires: "2020-01-01 00:00:00.000" }), "hp_nobodys"]) {
    const { status, headers } = await call(bad, "GET /Visits");
    expect([status, headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    expect((await call(bad, "POST /Visits/patientinfo", { body: formOf(patient("610190-1001")) })).status).toBe(401);
    // Not even what is open to everybody: who shows a key is judged by it.
    expect((await call(bad, "GET /Umbraco/management")).status).toBe(401);
  }
  expect((await call(makeKey(["read"], { addresses: "192.0.2.0/24" }), "GET /Visits")).status).toBe(401);
  const slow = makeKey(["read"], { perMinute: 2 });
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await call(slow, "GET /TreatmentTypes")).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect(Number((await call(slow, "GET /TreatmentTypes")).headers["retry-after"])).toBeLessThanOrEqual(60);
});

test("the public host serves calls with a key and, without one, only those that name it", async () => {
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
  const cookie = await signIn(portal.origin, "admin");
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
  const cookie = await signIn(portal.origin, "admin");
  const key = makeKey(["messages"]);
  const write = async (who: string | null, headers: Record<string, string>) =>
    (await call(who, `POST /Visits/${own}/messages/read`, { headers, body: '{"read":true}' })).status;
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
  const brought = await call(key, "POST /Appointments/csv/upload", { body: formOf({ [field]: file }) });
  expect(brought.status, brought.text).toBe(200);
});

test("every call is in the audit with the key's name, refused or not", async () => {
  const key = makeKey(["read"]);
  const { id } = inDatabase((database) => database.prepare("select max(id) as id from api_key").get()) as {
    id: number;
  };
  await call(key, `GET /Visits/${own}`);
  await call(key, "GET /TreatmentTypes");
  await call(key, "GET /Visits?CurrentPage=hej");
  await call(key, "GET /Users");
  const rows = () =>
    inDatabase((database) =>
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
  const cookie = await signIn(portal.origin, "admin");
  const log = await fetch(`${portal.origin}/management/logs?type=adgang`, { headers: { cookie } });
  expect(await log.text()).toContain("API-nøgle: Nøgle read");
});

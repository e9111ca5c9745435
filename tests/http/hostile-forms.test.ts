import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { pageForm, pageTicket } from "../support/form-ticket";
import { demoPortal } from "../support/portals/demo-portal";

const portal = demoPortal({ people: ["admin", "tandlaege"] });
const session = () => ({ cookie: portal.cookies.tandlaege! });

const UNREADABLE = "Formularen kan ikke læses";
const wizard = "/management/henvisning-tandlaeger?form=en-formular-til-det";

/** CPU time of the portal's process, unaffected by other work. */
function processorMs(): number {
  const [user, system] = readFileSync(`/proc/${portal.pid}/stat`, "utf8")
    .split(") ")[1]!
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user! + system!) * 10;
}

async function send(
  address: string,
  body: string | FormData | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const type: Record<string, string> =
    typeof body === "string" ? { "content-type": "application/x-www-form-urlencoded" } : {};
  const began = processorMs();
  const answer = await fetch(portal.origin + address, {
    method: "POST",
    redirect: "manual",
    body,
    headers: { "sec-fetch-site": "same-origin", ...type, ...headers },
  });
  return { status: answer.status, text: await answer.text(), ms: processorMs() - began };
}

function multipart(fields: [string, string][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const same = (count: number): [string, string][] => Array.from({ length: count }, () => ["a", ""]);
const different = (count: number): [string, string][] => Array.from({ length: count }, (_, index) => [`a${index}`, ""]);
const encode = (fields: [string, string][]) => new URLSearchParams(fields).toString();

test("refuses a form with too many fields at once, from anybody", async () => {
  for (const fields of [same(60_000), different(60_000)]) {
    const answer = await send("/login", encode(fields));
    expect([answer.status, answer.text.includes(UNREADABLE)]).toEqual([400, true]);
    expect(answer.ms).toBeLessThan(1000);
  }
  const first = await send("/login", multipart(same(2500)));
  expect([first.status, first.text.includes(UNREADABLE)]).toEqual([400, true]);
  for (const body of [encode(same(1001)), multipart(same(1001)), encode(different(2000))])
    expect((await send("/login", body)).ms).toBeLessThan(1000);
});

test("counts the fields of a form with files too", async () => {
  for (const fields of [same(1500), different(2500)]) {
    const answer = await send(wizard, multipart(fields), session());
    expect([answer.status, answer.text.includes(UNREADABLE)]).toEqual([400, true]);
  }
});

test("refuses a form with more than 100 names that no form of its page has", async () => {
  const withOthers = (count: number) =>
    send("/management/overview", encode([["intent", "setStatuses"], ...different(count)]), {
      cookie: portal.cookies.admin!,
    });
  expect((await withOthers(90)).text).not.toContain(UNREADABLE);
  const beyond = await withOthers(110);
  expect([beyond.status, beyond.text.includes(UNREADABLE)]).toEqual([400, true]);
});

test("200 of one name are read, 201 only by a schema that has so long a list", async () => {
  const signInWith = (count: number) =>
    send(
      "/login",
      encode([["intent", "signIn"], ...Array.from({ length: count }, (): [string, string] => ["userName", "x"])]),
    );
  expect((await signInWith(200)).text).not.toContain(UNREADABLE);
  const beyond = await signInWith(201);
  expect([beyond.status, beyond.text.includes(UNREADABLE)]).toEqual([400, true]);
  const picks = (count: number) =>
    encode([
      ["intent", "setStatuses"],
      ["ticket", pageTicket(portal, "admin")],
      ["status", "2"],
      ...Array.from({ length: count }, (_, index): [string, string] => ["pick", String(index + 1)]),
    ]);
  const staff = portal.cookies.admin!;
  expect((await send("/management/overview", picks(1000), { cookie: staff })).text).not.toMatch(
    /kan ikke læses|ad gangen/,
  );
  expect((await send("/management/overview", picks(1001), { cookie: staff })).text).toContain(
    "Vælg højst 1.000 ad gangen.",
  );
  expect((await send("/management/overview", picks(1002), { cookie: staff })).text).toContain(UNREADABLE);
});

test.each(["createUser", "closeInfoPopup", "no intent"])(
  "a text that is sent twice is shown again as its last value (%s)",
  async (intent) => {
    const form = encode([
      ["intent", intent],
      ["formId", "createUser"],
      ["ticket", pageTicket(portal, "admin")],
      ["type", "1"],
      ["firstName", "Åse"],
      ["firstName", "Øjvind"],
      ["lastName", "Kjær"],
      ["lastName", ""],
    ]);
    const { status, text } = await send("/management/users/opret", form, { cookie: portal.cookies.admin! });
    expect(status).toBeLessThan(500);
    if (intent !== "closeInfoPopup") expect(text).toContain('value="Øjvind"');
  },
);

test("a status that is no number is refused in words, and the referral's page stays", async () => {
  const { id } = portal.inDatabase((database) =>
    database.prepare("select max(id) as id from referral where sent_at is not null").get(),
  ) as { id: number };
  const fields = { referralId: id, seenVersion: 1, intent: "setStatus", formId: "nextStatus", status: "9999-12-31" };
  const form = new URLSearchParams(
    Object.entries(pageForm(portal, "admin", fields)).map(([name, value]) => [name, String(value)]),
  );
  form.append("referralId", String(id));
  const { status, text } = await send(`/management/overview/${id}`, form.toString(), { cookie: portal.cookies.admin! });
  expect([status, text.includes("Vælg en status.")]).toEqual([400, true]);
});

const HOSTILE_NAMES = [
  "a[90000000]",
  "a[b]",
  "a[b][c]",
  "a.b",
  "__proto__",
  "a[__proto__][x]",
  "constructor.prototype",
  "[]",
  "",
  "a".repeat(90),
  "æ",
  "a b",
];

test.each(HOSTILE_NAMES)(
  "a field of the name %j is refused as the body streams, and the portal lives",
  async (name) => {
    for (const address of [wizard, "/login"]) {
      for (const body of [multipart([[name, "1"]]), encode([[name, "1"]])]) {
        const answer = await send(address, body, session());
        expect([answer.status, answer.text.includes(UNREADABLE)], address).toEqual([400, true]);
        expect(answer.text).toContain('<html lang="da">');
      }
    }
    expect((await fetch(`${portal.origin}/healthz`)).status).toBe(200);
  },
);

test("answers JavaScript and the API in their own formats", async () => {
  const scripted = await send(
    `${wizard}&_data=routes%2Fmanagement.henvisning-tandlaeger`,
    multipart([["a[90000000]", "1"]]),
    session(),
  );
  expect([scripted.status, JSON.parse(scripted.text)]).toEqual([
    400,
    expect.objectContaining({ refusal: "formUnreadable" }),
  ]);
  const call = await send("/api/Visits/wizard/patient", multipart([["a[90000000]", "1"]]), session());
  expect([400, 404, 405]).toContain(call.status);
  expect(JSON.parse(call.text)).toEqual({ message: expect.any(String), errors: {} });
});

test("a list that is wrong in every place has one error", async () => {
  const staff = portal.cookies.admin!;
  const answer = await send(
    "/api/Visits/download/csv/byids",
    new TextEncoder().encode(JSON.stringify({ ids: Array(100_000).fill("x") })),
    { cookie: staff, "content-type": "application/json" },
  );
  expect([answer.status, answer.text.length < 500]).toEqual([400, true]);
  const form = await send(
    "/api/Visits/status",
    multipart([
      ["VisitIds", JSON.stringify(Array(50_000).fill(1))],
      ["Status", "2"],
    ]),
    { cookie: staff },
  );
  expect(form.status).toBeLessThan(500);
  expect(form.ms).toBeLessThan(1000);
});

test("a part without a name, an unknown coding and a truncated body are refused", async () => {
  const part = (head: string) => new TextEncoder().encode(`--x\r\n${head}\r\n\r\nhej\r\n--x--\r\n`);
  const type = { "content-type": "multipart/form-data; boundary=x", ...session() };
  for (const head of [
    "Content-Disposition: form-data",
    'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=nonsense',
    "nothing",
    'Content-Disposition: form-data; name="a\0"',
  ])
    expect((await send(wizard, part(head), type)).status, head).toBe(400);
  expect(
    (await send(wizard, new TextEncoder().encode('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nhej'), type))
      .status,
  ).toBe(400);
  for (const body of ["a=%zz", "a=%", "%=1"]) expect((await send("/login", body)).status, body).toBe(400);
  expect(
    (await send("/login", "intent=nothing", { "content-type": "application/x-www-form-urlencoded; charset=nonsense" }))
      .status,
  ).toBeLessThan(500);
});

test("a form whose client disconnects leaves nothing behind", async () => {
  const { port } = new URL(portal.origin);
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "localhost", () => {
        socket.write(
          `POST ${wizard} HTTP/1.1\r\nHost: localhost:${port}\r\nSec-Fetch-Site: same-origin\r\nCookie: ${session().cookie}\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\nintent=`,
        );
        setTimeout(() => socket.destroy(), 100);
      });
      socket.on("close", () => resolve());
    });
  }
  expect((await fetch(`${portal.origin}/healthz`)).status).toBe(200);
});

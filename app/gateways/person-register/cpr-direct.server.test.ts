// @module-tag node
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { cert, type Register, startRegister as startPeer } from "../../../tests/support/peers/cpr-direct-peer";
import { listening } from "../../../tests/support/peers/listening";
import { selfSigned } from "../../../tests/support/peers/self-signed";
import { choosePersonRegister } from "~/gateways/choose.server";
import { type CprDirectOptions, createCprDirect } from "./cpr-direct.server";

const nancy = "251248-9996";
const credentials = { customer: "0384", user: "KLINIK1", password: "hæm1ligt" };
const listen = listening();
const startRegister = () => startPeer(listen);

const client = (port: number, options: Partial<CprDirectOptions> = {}) =>
  createCprDirect({
    host: "127.0.0.1",
    port,
    ca: cert,
    connectWithin: 5000,
    answerWithin: 5000,
    ...credentials,
    ...options,
  });

test("found, with æøå; the token serves every look-up after the login", async () => {
  const register = await startRegister();
  const cpr = client(register.port);
  expect(await cpr.find(nancy)).toEqual({
    kind: "found",
    firstName: "Nancy Ann",
    lastName: "Berggren",
    address: "Testpark Allé 48",
    zip: "3400",
    city: "Hillerød",
    status: "01",
  });
  expect(await cpr.find("021122-3989")).toMatchObject({
    firstName: "Åge Østen",
    lastName: "Sørensen-Ægidius",
    address: "Ærøvej 1, 2. tv",
    city: "Åbyhøj",
  });
  const [token] = register.tokens;
  expect(register.heard).toEqual([
    "PRIV,038490KLINIK1 hæm1ligt        ",
    `PRIV,038406${token}KLINIK1 002512489996`,
    `PRIV,038406${token}KLINIK1 000211223989`,
  ]);
});

test("protected is not 'not found', and not found is not an error", async () => {
  const cpr = client((await startRegister()).port);
  expect(await cpr.find("610180-9990")).toEqual({ kind: "protected" });
  expect(await cpr.find("010190-0001")).toEqual({ kind: "notFound" });
});

test("does not look up a replacement number", async () => {
  const register = await startRegister();
  expect(await client(register.port).find("010190-AB12")).toEqual({ kind: "notFound" });
  expect(register.heard).toEqual([]);
});

test("many look-ups at once log in once", async () => {
  const register = await startRegister();
  const cpr = client(register.port);
  const answers = await Promise.all(Array.from({ length: 20 }, () => cpr.find(nancy)));
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["found"]));
  expect(register.logins).toBe(1);
  register.tokens.clear();
  await Promise.all(Array.from({ length: 20 }, () => cpr.find(nancy)));
  expect(register.logins).toBe(2);
});

test("renews an expired token once, and not endlessly", async () => {
  const register = await startRegister();
  const cpr = client(register.port);
  await cpr.find(nancy);
  register.tokens.clear();
  expect(await cpr.find(nancy)).toMatchObject({ kind: "found" });
  expect(register.logins).toBe(2);
  register.misbehave = (socket) => socket.end("038406TOKEN123KLINIK1 070028");
  expect(await cpr.find(nancy)).toEqual({ kind: "unavailable", detail: expect.stringContaining("fejl 7") });
  expect(register.logins).toBe(3);
});

test("a late look-up uses the token that another has fetched meanwhile", async () => {
  const register = await startRegister();
  const cpr = client(register.port);
  await cpr.find(nancy);
  register.tokens.clear();
  const late = await new Promise<{ release(): void; answer: ReturnType<typeof cpr.find> }>((held) => {
    register.misbehave = (socket, error7) => held({ release: () => socket.end(error7), answer });
    const answer = cpr.find(nancy);
  });
  register.misbehave = null;
  expect(await cpr.find(nancy)).toMatchObject({ kind: "found" });
  late.release();
  expect(await late.answer).toMatchObject({ kind: "found" });
  expect(register.logins).toBe(2);
});

test.each([
  ["01", "brugernavn eller adgangskode"],
  ["02", "udløbet"],
])("reports a login that %s refuses, and does not retry it at once", async (code, text) => {
  const register = await startRegister();
  register.loginCode = code;
  let now = 0;
  const cpr = client(register.port, { now: () => now });
  for (let i = 0; i < 5; i++)
    expect(await cpr.find(nancy)).toEqual({ kind: "unavailable", detail: expect.stringContaining(text) });
  expect(register.logins).toBe(1);
  register.loginCode = "00";
  now = 10 * 60_000;
  expect(await cpr.find(nancy)).toMatchObject({ kind: "found" });
});

test.each(["04", "16", "98"])(
  "error %s at login or look-up is unavailable, and the next look-up tries anew",
  async (code) => {
    const register = await startRegister();
    const cpr = client(register.port);
    register.loginCode = code;
    const unavailable = { kind: "unavailable", detail: expect.stringContaining(`fejl ${Number(code)}`) };
    expect(await cpr.find(nancy)).toEqual(unavailable);
    register.loginCode = "00";
    register.misbehave = (socket) => socket.end(`038406TOKEN123KLINIK1 ${code}0028`);
    expect(await cpr.find(nancy)).toEqual(unavailable);
    register.misbehave = null;
    expect(await cpr.find(nancy)).toMatchObject({ kind: "found" });
  },
);

test.each<[string, Register["misbehave"]]>([
  ["hangs up half-way", (socket, answer) => socket.end(answer.subarray(0, 300))],
  ["hangs up at once", (socket) => socket.end()],
  ["is cut off half-way", (socket, answer) => socket.write(answer.subarray(0, 300), () => socket.destroy())],
  ["sends half and falls silent", (socket, answer) => socket.write(answer.subarray(0, 300))],
  ["falls silent", () => {}],
  ["sends garbage", (socket) => socket.end(Buffer.alloc(2000, 0x9d))],
  ["sends a web page", (socket) => socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n<h1>251248-9996</h1>")],
  [
    "sends without end",
    (socket) =>
      void setInterval(() => socket.destroyed || socket.write("038406TOKEN123KLINIK1 00".padEnd(9000)), 1).unref(),
  ],
  [
    "leaves out a character",
    (socket, answer) => socket.end(Buffer.concat([answer.subarray(0, 90), answer.subarray(91)])),
  ],
  [
    "answers about another",
    (socket, answer) =>
      socket.end(Buffer.from(answer.toString("latin1").replace("2512489996", "0211223989"), "latin1")),
  ],
])("a peer that %s is unavailable within the time limit, and the log names nobody", async (_what, misbehave) => {
  const register = await startRegister();
  register.misbehave = misbehave;
  const begun = performance.now();
  const answer = await client(register.port, { answerWithin: 300 }).find(nancy);
  expect(answer.kind).toBe("unavailable");
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(JSON.stringify(answer)).not.toMatch(/251248|9996|hæm1ligt|Nancy/);
});

test("a failed look-up does not affect the next", async () => {
  const register = await startRegister();
  const cpr = client(register.port);
  register.misbehave = (socket, answer) => socket.end(answer.subarray(0, 300));
  expect(await cpr.find(nancy)).toEqual({ kind: "unavailable", detail: "CPR-registrets svar kunne ikke læses." });
  register.misbehave = null;
  expect(await cpr.find(nancy)).toMatchObject({ kind: "found" });
  expect(register.logins).toBe(1);
});

test("assembles an answer that arrives byte by byte", async () => {
  const register = await startRegister();
  register.misbehave = (socket, answer) => {
    let at = 0;
    const step = () =>
      at < answer.length && !socket.destroyed
        ? socket.write(answer.subarray(at, ++at), () => setImmediate(step))
        : undefined;
    step();
  };
  expect(await client(register.port).find(nancy)).toMatchObject({ kind: "found", city: "Hillerød" });
});

test("sends neither credentials nor the question to an untrusted certificate", async () => {
  const register = await startRegister();
  for (const ca of [undefined, selfSigned().cert]) {
    expect(await client(register.port, { ca }).find(nancy)).toEqual({
      kind: "unavailable",
      detail: expect.stringContaining("forbindelse"),
    });
  }
  expect(register.heard).toEqual([]);
});

test("no peer, or a peer without TLS, is unavailable within the time limit", async () => {
  expect(await client(1).find(nancy)).toEqual({
    kind: "unavailable",
    detail: "Der er ingen forbindelse til CPR-registret (ECONNREFUSED).",
  });
  const silent = await listen(createServer((socket) => socket.on("error", () => {})));
  const begun = performance.now();
  expect(await client(silent, { connectWithin: 200 }).find(nancy)).toMatchObject({ kind: "unavailable" });
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(await client(1, { host: "no-such-host.invalid" }).find(nancy)).toMatchObject({ kind: "unavailable" });
});

test("does not expose the password, also when it is refused", () => {
  expect(inspect(client(1), { depth: 9, showHidden: true })).not.toContain("hæm1ligt");
  for (const invalid of [
    { customer: "38" },
    { user: "" },
    { user: "NINECHARS" },
    { password: "for-langt-kodeord" },
    { password: "æ≠" },
  ]) {
    expect(() => client(1, invalid)).toThrow(RangeError);
    expect(() => client(1, invalid)).not.toThrow(/for-langt|≠/);
  }
  expect(() => client(1, { ca: "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----" })).toThrow(Error);
});

test("is chosen by configuration, with the certificate authority from a file", async () => {
  const register = await startRegister();
  const folder = await mkdtemp(join(tmpdir(), "cpr-"));
  try {
    const caFile = join(folder, "ca.pem");
    await writeFile(caFile, cert);
    const cpr = choosePersonRegister({ url: `tls://localhost:${register.port}`, ...credentials, caFile });
    expect(cpr).toMatchObject({ label: "CPR-registret", isReal: true });
    expect(await cpr.find(nancy)).toMatchObject({ kind: "found" });
    expect(() => choosePersonRegister({ url: "https://localhost", ...credentials, caFile })).toThrow(RangeError);
    expect(() =>
      choosePersonRegister({ url: "tls://localhost:5000", customer: null, user: null, password: null, caFile: null }),
    ).toThrow(RangeError);
    expect(() =>
      choosePersonRegister({ url: "tls://localhost:5000", ...credentials, caFile: join(folder, "missing") }),
    ).toThrow("ENOENT");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

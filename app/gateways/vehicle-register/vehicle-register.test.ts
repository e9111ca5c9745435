import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { chooseVehicleRegister, createCachedRegister } from "~/gateways/choose.server";
import { createMotorApi, type MotorApiOptions } from "./motor-api.server";

const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function peer(listener: RequestListener, options: Partial<MotorApiOptions> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.headers["x-auth-token"] !== "the-token") return void response.writeHead(403).end("{}");
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, register: createMotorApi({ url, token: "the-token", ...options }) };
}

const golf = {
  registration_number: "QX12345",
  status: "Registreret",
  status_date: "2019-05-01T00:00:00Z",
  vin: "WVWZZZ1KZ6W000001",
  make: "VOLKSWAGEN",
  model: "GOLF",
  variant: "1,5 TSI",
  model_year: 2019,
  color: "Blå",
  fuel_type: "Benzin",
};

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(status, { "Content-Type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

test("the register's words are composed, and lose the signs that nobody sees", async () => {
  const { register } = await peer(
    answering(200, { ...golf, make: "Citroe\u0308n\u200b", color: "\u202eBla\u030a\u00a0" }),
  );
  expect(await register.find("QX12345")).toMatchObject({ vehicle: { make: "Citroën", color: "Blå" } });
});

test("a car that is found comes without its frame number", async () => {
  const { register, asked } = await peer(answering(200, golf));
  expect(await register.find("QX12345")).toEqual({
    kind: "found",
    vehicle: { make: "VOLKSWAGEN", model: "GOLF", color: "Blå", status: "Registreret" },
  });
  expect(asked).toEqual(["/vehicles/QX12345"]);
});

test("404 is not found; errors are unavailable, and name no plate", async () => {
  expect(await (await peer(answering(404, { message: "not found" }))).register.find("QX00000")).toEqual({
    kind: "notFound",
  });
  const errors: [RequestListener, string, Partial<MotorApiOptions>?][] = [
    [answering(500, "oops"), "Køretøjsregistret melder fejl (500)."],
    [answering(302, "", { Location: "http://127.0.0.1:1/" }), "Køretøjsregistret melder fejl (302)."],
    [answering(200, "<html>"), "Køretøjsregistrets svar kunne ikke læses."],
    [answering(200, "null"), "Køretøjsregistrets svar kunne ikke læses."],
    [answering(200, { make: 7 }), "Køretøjsregistrets svar kunne ikke læses."],
    [(request) => void request.socket.destroy(), "Der er ingen forbindelse til køretøjsregistret (UND_ERR_SOCKET)."],
    [() => {}, "Køretøjsregistret svarede ikke i tide.", { answerWithin: 50 }],
    [answering(200, golf), "Køretøjsregistret afviser portalens nøgle (403).", { token: "another" }],
  ];
  for (const [listener, detail, options] of errors)
    expect(await (await peer(listener, options)).register.find("QX12345")).toEqual({ kind: "unavailable", detail });
});

test("sends no request after 429 until the time that the register names", async () => {
  let now = 0;
  const { register, asked } = await peer(answering(429, {}, { "Retry-After": "120" }), { now: () => now });
  const none = { kind: "unavailable", detail: "Køretøjsregistret har ikke flere opslag lige nu." };
  expect([await register.find("QX12345"), await register.find("QX12346")]).toEqual([none, none]);
  expect(asked.length).toBe(1);
  now = 121_000;
  await register.find("QX12345");
  expect(asked.length).toBe(2);
});

test("caches an answer for a day, also 'not found', but no failure", async () => {
  vi.useFakeTimers();
  let [status, asked] = ["found" as "found" | "notFound" | "unavailable", 0];
  const register = createCachedRegister({
    label: "",
    isReal: true,
    find: async () => {
      asked += 1;
      if (status === "unavailable") return { kind: status, detail: "" };
      return status === "found"
        ? { kind: status, vehicle: { make: "VW", model: "", color: "", status: "" } }
        : { kind: status };
    },
  });
  await Promise.all([register.find("A"), register.find("A")]);
  status = "notFound";
  expect([(await register.find("A")).kind, (await register.find("B")).kind, asked]).toEqual(["found", "notFound", 2]);
  vi.advanceTimersByTime(25 * 60 * 60_000);
  status = "unavailable";
  expect([(await register.find("A")).kind, (await register.find("A")).kind, asked]).toEqual([
    "unavailable",
    "unavailable",
    4,
  ]);
});

test("without a token production says so, and a trial knows its test cars", async () => {
  const vehicleRegister = { url: "https://v1.motorapi.dk", token: null };
  const [real, trial] = [true, false].map((production) => chooseVehicleRegister({ vehicleRegister, production }));
  expect([real!.label, await real!.find("QX12345")]).toEqual([
    "Ikke indstillet",
    { kind: "unavailable", detail: "Ikke indstillet" },
  ]);
  expect([trial!.isReal, (await trial!.find("QX12345")).kind, (await trial!.find("XX12345")).kind]).toEqual([
    false,
    "found",
    "notFound",
  ]);
});

import http from "node:http";
import { describe, expect, test } from "vitest";
import { accessPortal, sites, wizard } from "./access-portal";

const { portal, ask } = accessPortal();

describe("hosts", () => {
  test.each([
    ["henvis.test", "/login?userName=a", 308, "http://www.henvis.test/login?userName=a"],
    ["ukendt.test", "/login", 421, undefined],
    ["klinik.test.ond.example", "/login", 421, undefined],
  ])("%s%s", async (host, address, status, location) => {
    const answer = await ask("nobody", address, { headers: { host } });
    expect([answer.status, answer.location]).toEqual([status, location]);
  });

  test("ignores X-Forwarded headers of a proxy that is not configured", async () => {
    const answer = await ask("nobody", "/login", {
      headers: { "x-forwarded-host": "ukendt.test", "x-forwarded-for": "10.0.0.1" },
    });
    expect(answer.status).toBe(200);
  });

  test("health answers on every host and says nothing more", async () => {
    for (const host of Object.values(sites).filter((name) => name !== null)) {
      const answer = await ask("nobody", "/healthz", { headers: { host } });
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    }
    expect((await ask("nobody", "/readyz")).text).toBe('{"database":"ok","files":"ok","secret":"ok"}');
  });

  test("refuses an anonymous upload before its body has been read", async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const sent = http.request(`${portal.origin}${wizard}`, {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "multipart/form-data; boundary=x",
          "content-length": "1000000000",
          "sec-fetch-site": "same-origin",
        },
      });
      sent.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        sent.destroy();
      });
      sent.on("error", reject);
      // One byte of a promised gigabyte: an answer now cannot have waited for the rest.
      sent.write("-");
    });
    expect(answer).toBe(401);
  });
});

// @module-tag node
import http from "node:http";
import net from "node:net";
import { describe, expect, test } from "vitest";
import { postForm, startServer } from "../../scripts/test-server.mjs";
import { accessPortal, sites, wizard } from "./access-portal";
import { version } from "../../package.json";

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

  test("health answers on every host with the release, and says nothing more", async () => {
    for (const host of Object.values(sites).filter((name) => name !== null)) {
      const answer = await ask("nobody", "/healthz", { headers: { host } });
      expect([answer.status, answer.text]).toEqual([200, `{"status":"ok","version":"${version}"}`]);
    }
    expect((await ask("nobody", "/readyz")).text).toBe("ready");
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
      // One byte of an announced gigabyte: an answer now cannot have waited for the rest.
      sent.write("-");
    });
    expect(answer).toBe(401);
  });
});

function getRaw(target: string, host: string, from: string): Promise<number> {
  const { hostname, port } = new URL(from);
  return new Promise((resolve, reject) => {
    http
      .request({ hostname, port, path: target, headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      })
      .on("error", reject)
      .end();
  });
}

test("refuses two Host headers, whichever comes first", async () => {
  const { hostname, port } = new URL(portal.origin);
  const statusOf = async (heads: string[]) => {
    const socket = net.connect(Number(port), hostname);
    socket.write(["GET /login HTTP/1.1", ...heads, "Connection: close", "", ""].join("\r\n"));
    let answer = "";
    for await (const part of socket.setEncoding("latin1")) answer += String(part);
    return answer.split(" ")[1];
  };
  expect(await statusOf(["Host: www.henvis.test"])).toBe("200");
  expect(await statusOf(["Host: www.henvis.test", "Host: klinik.test"])).toBe("400");
  expect(await statusOf(["Host: www.henvis.test", "host: www.henvis.test"])).toBe("400");
  expect(await statusOf([])).toBe("400");
});

test("a path to return to that has a double slash is not followed and stands in no log", async () => {
  const server = await startServer({ env: { NODE_ENV: "development", DATA_DIR: portal.dataDir } });
  try {
    const to = "/management//0101901234";
    const fields = { to, userName: "tandlaege", password: "Demo1234", intent: "signIn" };
    const answer = await postForm(`${server.origin}/login`, fields, "");
    expect([answer.status, answer.headers.location]).toEqual([303, "/management/overview"]);
    expect(server.output()).not.toContain("0101901234");
  } finally {
    await server.stop();
  }
});

test("refuses a path that is not normalised before any rule is applied", async () => {
  const two = await startServer({
    env: {
      NODE_ENV: "development",
      DATA_DIR: portal.dataDir,
      ADMIN_ORIGIN: "https://klinik.eksempel.dk",
      PUBLIC_ORIGIN: "https://www.eksempel.dk",
    },
  });
  try {
    const inPublic = (target: string) => getRaw(target, "www.eksempel.dk", two.origin);
    const hidden = [
      "/login/../api/Visits",
      "/login/%2e%2e/api/Visits",
      "/login/%2E./api/Visits",
      "/login/./../api",
      "/login\\..\\api",
      "/login/..%2fapi/Visits",
      "/login/..%5capi",
      "//api/Visits",
      "/login//../api",
      "/%61pi/Visits",
      "/login/%6fther",
      "http://www.eksempel.dk/api/Visits",
      "https://klinik.eksempel.dk/login",
      "*",
      "/login/%00",
      "/login/%0d%0aX:1",
      "/%E0%A4%A",
      "/healthz/../login",
      "/build/../login",
      "/build/%2e%2e/%2e%2e/package.json",
    ];
    for (const target of hidden) expect(await inPublic(target), target).toBe(400);
    expect(await inPublic("/api/Visits")).toBe(404);
    for (const target of ["/login?to=/a/../b", "/login?a=%2e%2e%2f&b=//x", "/login"])
      expect(await inPublic(target), target).toBe(200);
  } finally {
    await two.stop();
  }
});

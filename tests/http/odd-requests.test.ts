// @module-tag node
import http from "node:http";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { demoPortal } from "../support/portals/demo-portal";

const STAFF = "klinik.eksempel.dk";
const PUBLIC = "www.eksempel.dk";

const portal = demoPortal({
  env: {
    ADMIN_ORIGIN: `https://${STAFF}`,
    PUBLIC_ORIGIN: `https://${PUBLIC}`,
    ADMIN_IP_ALLOW: "203.0.113.7,2001:db8::7",
    TRUSTED_PROXIES: "127.0.0.1",
  },
});

function ask(address: string, headers: Record<string, string>) {
  return new Promise<{ status: number; type: string | undefined; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(portal.origin);
    http
      .get({ hostname, port, path: address, headers, agent: false }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode!, type: answer.headers["content-type"], text }));
      })
      .on("error", reject);
  });
}

describe("cookies of other applications on the same domain", () => {
  const cookies = (bytes: number) =>
    Array.from({ length: bytes / 1024 }, (_, index) => `app${String(index).padStart(4, "0")}=${"x".repeat(1014)}`).join(
      "; ",
    );

  test("64 KB of them are served", async () => {
    expect((await ask("/login", { host: PUBLIC, cookie: cookies(64 * 1024) })).status).toBe(200);
  });

  test.each([96 * 1024, 2 * 1024 * 1024])("%i bytes are refused with a page that says what to do", async (bytes) => {
    const answer = await ask("/login", { host: PUBLIC, cookie: cookies(bytes) });
    expect([answer.status, answer.type]).toEqual([431, "text/html; charset=utf-8"]);
    expect(answer.text).toContain("Slet cookies for domænet");
  });
});

describe("a caller's address in X-Forwarded-For", () => {
  test.each([
    ["203.0.113.7", 200],
    ["203.0.113.7:5678", 200],
    ["2001:db8::7", 200],
    ["[2001:db8::7]", 200],
    ["[2001:db8::7]:5678", 200],
    ["10.9.9.9, 203.0.113.7:5678", 200],
    ["203.0.113.7:5678, 10.9.9.9:1", 403],
    ["203.0.113.7:5678x", 403],
    ["203.0.113.8:5678", 403],
  ])("%s is answered %i on the staff site", async (written, status) => {
    expect((await ask("/login", { host: STAFF, "x-forwarded-for": written })).status).toBe(status);
  });
});

describe("a link with what a mail program put behind it", () => {
  test.each([".", ")", ",", ">", "=3D", "=0D=0A", "%E2%80%9D", "&gt;"])(
    "/change-password reads the token before '%s'",
    async (tail) => {
      const { text } = await ask(`/change-password?userName=aase&token=Abc-12_x${tail}`, { host: PUBLIC });
      expect(/name="token" value="([^"]*)"/.exec(text)?.[1]).toBe("Abc-12_x");
    },
  );

  test.each(["/xr", "/dl", "/aftale", "/sag"])("%s takes what is no token for a missing one", async (page) => {
    expect((await ask(`${page}?tk=).`, { host: PUBLIC })).text).toContain("Linket mangler");
  });
});

test.each([
  ["GET", true],
  ["HEAD", false],
])("an unreadable address is answered with a page, HEAD with a head: %s", async (method, hasPage) => {
  const { hostname, port } = new URL(portal.origin);
  const socket = connect(Number(port), hostname);
  socket.end(`${method} \\ HTTP/1.1\r\nHost: ${PUBLIC}\r\n\r\n`);
  const [head, page] = (await textOf(socket)).split("\r\n\r\n");
  expect(head).toContain("HTTP/1.1 400 Bad Request");
  expect(page!.includes("Browserens forespørgsel kan ikke læses")).toBe(hasPage);
});

test("HEAD of an unreadable address has no page, also behind a body in one packet", async () => {
  const { hostname, port } = new URL(portal.origin);
  const socket = connect(Number(port), hostname);
  socket.end(
    `POST /login HTTP/1.1\r\nHost: ${PUBLIC}\r\nContent-Length: 3\r\n\r\na=bHEAD \\ HTTP/1.1\r\nHost: ${PUBLIC}\r\n\r\n`,
  );
  const answer = await textOf(socket);
  expect(answer).toContain("HTTP/1.1 400 Bad Request");
  expect(answer).not.toContain("Browserens forespørgsel kan ikke læses");
});

/** A request hidden in another's body, which a proxy with a different idea of its length would pass unseen. */
const HIDDEN = `GET /healthz HTTP/1.1\r\nHost: ${PUBLIC}\r\n\r\n`;

async function statusesOf(requests: string): Promise<number[]> {
  const { hostname, port } = new URL(portal.origin);
  const socket = connect(Number(port), hostname);
  socket.end(requests);
  return [...(await textOf(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

describe("a body whose length can be read in two ways has no second request in it", () => {
  test("two requests in a row have two answers", async () => {
    expect(await statusesOf(HIDDEN + HIDDEN)).toEqual([200, 200]);
  });

  test.each([
    ["two lengths", `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}`, ""],
    ["a list of lengths", `Content-Length: 0, ${HIDDEN.length}`, ""],
    ["a length with a sign", "Content-Length: +5", ""],
    ["a length and pieces", "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
    ["pieces that are not the last coding", "Transfer-Encoding: chunked, identity", "0\r\n\r\n"],
    ["an unknown coding", "Transfer-Encoding: xchunked", "0\r\n\r\n"],
    ["pieces, named before a space", "Transfer-Encoding : chunked\r\nContent-Length: 5", "0\r\n\r\n"],
    ["pieces with bare line feeds", "Transfer-Encoding: chunked", "1\na\n0\n\n"],
    ["a line feed in a piece's head", "Transfer-Encoding: chunked", "1;a\nb\r\na\r\n0\r\n\r\n"],
    ["a piece longer than any number", "Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n"],
    ["a head that goes on in the next line", "X-Part: a\r\n Content-Length: 5", ""],
    ["a carriage return in a head", "X-Part: a\rContent-Length: 5", ""],
    ["a body that nobody reads", `Content-Length: ${HIDDEN.length}`, ""],
  ])("%s", async (_what, heads, body) => {
    const own = ["POST /login HTTP/1.1", `Host: ${PUBLIC}`, `Origin: https://${PUBLIC}`, "Sec-Fetch-Site: same-origin"];
    const statuses = await statusesOf([...own, heads, "", body + HIDDEN].join("\r\n"));
    expect(statuses).toEqual([expect.any(Number)]);
    expect(statuses[0]).toBeGreaterThanOrEqual(400);
  });
});

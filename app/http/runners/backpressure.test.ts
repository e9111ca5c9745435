// @module-tag node
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { writeReadableStreamToWritable } from "@remix-run/node";
import { afterEach, expect, test } from "vitest";
import { waitForDrain, withBackpressure } from "./backpressure.server";

const PIECE = Buffer.alloc(64 * 1024, "x");
const PIECES = 4096;

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server with one file of 256 MB and a client that requests it but reads nothing. */
async function aSlowReader() {
  const seen = { taken: 0, ended: false };
  async function* file() {
    try {
      for (; seen.taken < PIECES; seen.taken += 1) yield PIECE;
    } finally {
      seen.ended = true;
    }
  }
  server = http.createServer(
    (_request, response) =>
      void writeReadableStreamToWritable(
        withBackpressure(Readable.from(file()), () => waitForDrain(response)),
        response,
      ),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(http.get({ port, host: "127.0.0.1", agent: false }), "response")) as [
    http.IncomingMessage,
  ];
  return { seen, answer, port };
}

async function standsStill(seen: { taken: number }) {
  let before = -1;
  await expect.poll(() => before === (before = seen.taken), { interval: 150 }).toBe(true);
}

test("streams a file whole, as fast as the client reads it, without buffering", async () => {
  const { seen, answer } = await aSlowReader();
  await standsStill(seen);
  expect(seen.taken).toBeLessThan(PIECES / 4);
  let bytes = 0;
  for await (const piece of answer) bytes += (piece as Buffer).length;
  expect([bytes, seen]).toEqual([PIECES * PIECE.length, { taken: PIECES, ended: true }]);
});

test("stops producing once the client has disconnected", async () => {
  const { seen, answer } = await aSlowReader();
  await standsStill(seen);
  answer.destroy();
  await expect.poll(() => seen.ended).toBe(true);
  expect(seen.taken).toBeLessThan(PIECES / 4);
});

test("answers other requests between two pieces of a file that is read at full speed", async () => {
  const { seen, answer } = await aSlowReader();
  const turns: number[] = [];
  const clock = setInterval(() => turns.push(seen.taken), 0);
  answer.resume();
  await once(answer, "end");
  clearInterval(clock);
  expect(new Set(turns).size).toBeGreaterThan(100);
});

// @module-tag node
import { connect, type AddressInfo } from "node:net";
import type { Server } from "node:http";
import express from "express";
import { afterEach, expect, test } from "vitest";
import { endWhenSilent, limitBodyTime } from "./body-timeout.server";

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());
afterEach(() => server?.close());

async function started(isUpload: boolean): Promise<number> {
  const app = express();
  app.use(limitBodyTime(200));
  app.post("/", (request, response) => {
    if (isUpload) endWhenSilent(request);
    request.on("data", () => undefined).on("end", () => response.end("whole"));
  });
  app.post("/refused", (_request, response) => void response.status(403).end("no"));
  server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server!.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends a body whose second half comes later; returns what the server answered before the connection ended. */
function sendSlowly(port: number, address: string): Promise<string> {
  return new Promise((resolve) => {
    let output = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`POST ${address} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha`),
    );
    const later = setTimeout(() => socket.write("lf"), 600);
    socket.on("data", (chunk) => {
      output += chunk.toString();
      if (output.endsWith("whole")) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(later);
      resolve(output);
    });
  });
}

test("does not wait for a body that never arrives", async () => {
  const port = await started(false);
  expect(await sendSlowly(port, "/")).toMatch(/^HTTP\/1\.1 408 /);
  expect(await sendSlowly(port, "/refused")).toMatch(/^HTTP\/1\.1 403 /);
});

test("allows a slow upload, and leaves no listeners on its connection", async () => {
  const port = await started(true);
  const counts: number[] = [];
  server!.on("connection", (socket) => socket.on("close", () => counts.push(socket.listenerCount("timeout"))));
  expect(await sendSlowly(port, "/")).toMatch(/^HTTP\/1\.1 200 [^]*whole$/);
  await expect.poll(() => counts).toHaveLength(1);
  expect(counts[0]).toBeLessThanOrEqual(1);
});

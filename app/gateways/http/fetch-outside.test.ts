// @module-tag node
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { expect, test } from "vitest";
import { startGatewayApiPeer } from "../../../tests/support/peers/gatewayapi-peer";
import { listening } from "../../../tests/support/peers/listening";
import { selfSigned } from "../../../tests/support/peers/self-signed";
import { codeOf, fetchOutside, NotConnected } from "./fetch-outside.server";

const listen = listening();

const failureOf = (url: string) =>
  fetchOutside(url, { method: "POST", body: "{}", signal: AbortSignal.timeout(5_000) }).then(
    () => null,
    (error: unknown) => ({ isConnected: !(error instanceof NotConnected), code: codeOf(error) }),
  );

test("a refused port, an unknown name and broken TLS are no connection", async () => {
  const gone = await startGatewayApiPeer();
  await gone.stop();
  const plain = await listen(createServer((socket) => socket.on("error", () => undefined).end("220 no TLS\r\n")));
  const untrusted = await listen(createTlsServer(selfSigned(), (socket) => socket.on("error", () => undefined)));
  expect(await failureOf(gone.url)).toEqual({ isConnected: false, code: "ECONNREFUSED" });
  expect(await failureOf("http://nichts.invalid")).toMatchObject({ isConnected: false });
  expect(await failureOf(`https://127.0.0.1:${plain}`)).toMatchObject({
    isConnected: false,
    code: expect.stringMatching(/^ERR_SSL_/) as string,
  });
  expect(await failureOf(`https://localhost:${untrusted}`)).toMatchObject({
    isConnected: false,
    code: expect.stringContaining("_CERT") as string,
  });
});

test("a connection lost after the request, and silence, are none of it", async () => {
  const closing = await listen(createServer((socket) => socket.once("data", () => socket.destroy())));
  expect(await failureOf(`http://127.0.0.1:${closing}`)).toEqual({ isConnected: true, code: "UND_ERR_SOCKET" });
  const silent = await listen(createServer((socket) => socket.on("error", () => undefined)));
  const signal = AbortSignal.timeout(200);
  await expect(fetchOutside(`http://127.0.0.1:${silent}`, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
});

test("what is awaited comes before the first byte, and can stop the request", async () => {
  const received: string[] = [];
  const port = await listen(
    createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (chunk: Buffer) => {
        received.push(chunk.toString("latin1"));
        socket.end("HTTP/1.1 204 No Content\r\n\r\n");
      });
    }),
  );
  const init = { method: "POST", body: "{}", signal: AbortSignal.timeout(5_000) };
  const seen: number[] = [];
  await fetchOutside(`http://127.0.0.1:${port}`, init, async () => void seen.push(received.length));
  expect([seen, received.length]).toEqual([[0], 1]);
  const refused = fetchOutside(`http://127.0.0.1:${port}`, init, () => Promise.reject(new Error("taken by another")));
  await expect(refused).rejects.toThrow(NotConnected);
  expect(received.length).toBe(1);
});

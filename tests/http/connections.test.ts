// @module-tag node
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { get, startServer } from "../../scripts/test-server.mjs";
import { aPerson } from "../factories/people";
import { createTestPortal } from "../support/test-portal";

const LIMIT = 1_000;

test("a flood of silent connections is cut off at its limit", async () => {
  const portal = await createTestPortal("sqlite");
  await aPerson(portal, { role: "Dentist" });
  const { dataDir, appSecret } = portal.config;
  const server = await startServer({
    env: { NODE_ENV: "test", DATA_DIR: dataDir, APP_SECRET: appSecret, WORKER: "off" },
  });
  const { port } = new URL(server.origin);
  const open = new Set<Socket>();
  try {
    for (let n = 0; n < LIMIT + 50; n += 1) {
      const socket = connect(Number(port), "127.0.0.1")
        .on("error", () => undefined)
        .resume();
      open.add(socket.once("close", () => open.delete(socket)));
      await once(socket, "connect");
    }
    await expect.poll(() => open.size).toBe(LIMIT);
    for (const socket of open) socket.destroy();
    await pause(200);
    expect((await get(`${server.origin}/login`)).status).toBe(200);
  } finally {
    await server.stop();
    await portal.close();
  }
});

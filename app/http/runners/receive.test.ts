// @module-tag node
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { read } from "~/access/operation.server";
import { createTestPortal, type TestPortal } from "../../../tests/support/test-portal";
import { runReceive } from "./receive.server";

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal("sqlite");
});
afterAll(() => portal.close());

test("a provider's own header is read by its gateway; forgeries are refused", async () => {
  const received: string[] = [];
  const receiver = {
    channel: "other",
    readerOf: () => (body: Buffer, headers: Headers) =>
      headers.get("X-Other-Signature") === "right" ? { text: body.toString() } : ("forged" as const),
    operation: read({
      name: "test.receive",
      permission: "system",
      input: z.object({ text: z.string() }),
      run: async (_context, { text }) => void received.push(text),
    }),
  };
  const send = async (headers: Record<string, string>) => {
    const request = new Request("http://localhost/webhooks/other", { method: "POST", body: "hej", headers });
    const context = { portal, site: "public", address: "203.0.113.8" };
    return (await runReceive({ request, context, params: {} } as never, receiver)).status;
  };
  expect(await send({ "x-other-signature": "wrong" })).toBe(403);
  expect(await send({ signature: "right" })).toBe(403);
  expect(received).toEqual([]);
  expect(await send({ "x-other-signature": "right" })).toBe(204);
  expect(received).toEqual(["hej"]);
});

// @module-tag node
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { read } from "~/access/operation.server";
import { type Download, fileResponse, runDownload } from "./download.server";

test.each([
  ["Åse's (kæbe)* 1.pdf", "Åse's (kæbe)* 1.pdf"],
  ['"\r\nX-Evil: 1', '"\r\nX-Evil: 1'],
])("any file name is sent as one header-safe name: %j", async (fileName, whole) => {
  const request = new Request("http://localhost/", { method: "HEAD" });
  const file = { fileName, mime: "application/pdf", disposition: "attachment" as const, open: () => Readable.from([]) };
  const policies: string[] = [];
  const context = { replacePolicy: (policy: string) => policies.push(policy) } as never;
  const { headers } = await fileResponse(file, { request, context });
  const header = headers.get("Content-Disposition")!;
  // The page's policy is replaced: a second header would apply as well.
  expect([policies.length, headers.has("Content-Security-Policy")]).toEqual([1, false]);
  const [, plain, coded] = /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(
    header,
  )!;
  expect(decodeURIComponent(coded!)).toBe(whole);
  expect(plain).toMatch(/^[\x20-\x7e]+$/);
});

test("an unexpected error is a Danish page; a script gets its status", async () => {
  const failing = read({
    name: "test.download",
    permission: "public",
    run: (): Promise<Download> => Promise.reject(new Error("no such table: access_token")),
  });
  const logged: unknown[] = [];
  const portal = {
    config: { productName: "Henvisningsportalen" },
    clock: { now: () => new Date() },
    log: { error: (what: unknown) => logged.push(what) },
  };
  const caller = { actor: { kind: "anonymous" }, site: "local", address: "", sessionId: null };
  const context = { portal, nonce: "n", caller: async () => caller };
  const ask = (accept: string) =>
    runDownload(
      { request: new Request("http://localhost/xr/alle.zip", { headers: { accept } }), context, params: {} } as never,
      failing,
      {},
    ).catch((thrown: unknown) => thrown as Response);
  const page = await ask("text/html,*/*");
  expect([page.status, page.headers.get("Content-Type")]).toEqual([500, "text/html; charset=utf-8"]);
  const text = await page.text();
  expect(text).toContain("Noget gik galt hos os. Prøv igen om lidt, eller kontakt support.");
  expect(text).not.toContain("access_token");
  expect((await ask("*/*")).status).toBe(500);
  expect(logged).toHaveLength(2);
});

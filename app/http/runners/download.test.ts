import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { fileResponse } from "./download.server";

test.each([
  ["Åse's (kæbe)* 1.pdf", "Åse's (kæbe)* 1.pdf"],
  ['"\r\nX-Evil: 1', '"\r\nX-Evil: 1'],
])("any file name is sent as one header-safe name: %j", async (fileName, read) => {
  const request = new Request("http://localhost/", { method: "HEAD" });
  const file = { fileName, mime: "application/pdf", disposition: "attachment" as const, open: () => Readable.from([]) };
  const header = (await fileResponse(file, { request, context: {} as never })).headers.get("Content-Disposition")!;
  const [, plain, coded] = /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(
    header,
  )!;
  expect(decodeURIComponent(coded!)).toBe(read);
  expect(plain).toMatch(/^[\x20-\x7e]+$/);
});

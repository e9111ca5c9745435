import { expect, test } from "vitest";
import { createNoScanner } from "~/gateways/choose.server";

test("scans nothing and calls nothing clean", async () => {
  expect(await createNoScanner().scan("/any/file")).toBe("noScanner");
  expect(await createNoScanner().state()).toBe("notConfigured");
});

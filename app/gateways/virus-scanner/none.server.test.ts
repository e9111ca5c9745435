import { expect, test } from "vitest";
import { createNoScanner } from "./none.server";

test("nothing is scanned, and nothing is called clean", async () => {
  expect(await createNoScanner().scan("/any/file")).toBe("notScanned");
  expect(await createNoScanner().state()).toBe("notConfigured");
});

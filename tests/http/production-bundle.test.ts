// @module-tag node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the server's bundle holds the portal and no demo data", () => {
  const { inputs } = JSON.parse(readFileSync("build/metafile.server.json", "utf8")) as { inputs: object };
  const files = Object.keys(inputs);
  expect(files).toContain("app/cli/run.server.ts");
  expect(files.filter((file) => file.startsWith("app/demo/"))).toEqual([]);
});

import pino from "pino";
import { expect, test } from "vitest";
import type { Config } from "~/config/config.server";
import { version } from "../../package.json";
import { logStart } from "./worker.server";

test.each([
  ["20.19.4", true, 1],
  ["22.0.0", true, 0],
  ["24.21.0", true, 0],
  ["20.19.4", false, 0],
] as const)("Node %s, production %s: %i warnings", (node, production, warnings) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  logStart({ config: { production } as Config, log }, node);
  expect(lines.filter((line) => line.includes(node))).toHaveLength(warnings);
  expect(JSON.parse(lines[0]!)).toMatchObject({ version, msg: "the portal starts" });
});

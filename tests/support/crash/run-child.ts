import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import type { Config } from "~/config/config.server";
import { readerProgram } from "../reader-program";
import type { CrashPlan } from "./child";

const root = path.resolve(import.meta.dirname, "../../..");

let bundled: Promise<string> | undefined;

/**
 * Bundles the child below node_modules, where external packages are found, once per vitest worker; returns the script.
 */
export function buildChild(): Promise<string> {
  return (bundled ??= bundleChild());
}

async function bundleChild(): Promise<string> {
  const outdir = path.join(root, "node_modules", ".cache", "crash-test");
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `child-${process.env.VITEST_POOL_ID}.mjs`);
  await build({
    entryPoints: [path.join(root, "tests/support/crash/child.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    alias: { "~": path.join(root, "app"), "~db": path.join(root, "db") },
    external: outside,
    banner: { js: commonJs },
    // Production builds of React and others, as in the portal's own build.
    define: { "process.env.NODE_ENV": '"production"' },
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "error",
  });
  return outfile;
}

/**
 * External: native packages, those with files beside themselves, and those loaded on demand. The rest is bundled,
 * because each death starts a process and reading a thousand files would dominate.
 */
const outside = [
  "libsql",
  "sharp",
  "@node-rs/*",
  "dcmjs*",
  "@aws-sdk/*",
  "pdfkit",
  "ssh2-sftp-client",
  "flydrive*",
  "unpdf",
  "@expo-google-fonts/*",
];

const commonJs = `
import { createRequire as createRequireOfBundle } from "node:module";
import { fileURLToPath as pathOfBundle } from "node:url";
const require = createRequireOfBundle(import.meta.url);
const __filename = pathOfBundle(import.meta.url);
const __dirname = __filename.slice(0, __filename.lastIndexOf("/"));`;

export interface Ended {
  signal: NodeJS.Signals | null;
  code: number | null;
  /** Number of statements run; null when killed. */
  statements: number | null;
  errors: string;
}

/** @param env settings besides data folder, database and secret */
export async function runChild(
  script: string,
  config: Config,
  plan: CrashPlan,
  env: Record<string, string>,
): Promise<Ended> {
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "test",
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl,
      APP_SECRET: config.appSecret,
      ...env,
      CRASH_READER_PROGRAM: readerProgram,
      CRASH_PLAN: JSON.stringify(plan),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      const statements = /statements=(\d+)/.exec(output)?.[1];
      resolve({ signal, code, statements: statements === undefined ? null : Number(statements), errors });
    });
  });
}

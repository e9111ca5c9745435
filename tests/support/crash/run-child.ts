import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import type { Config } from "~/config.server";
import type { CrashPlan } from "./child";

const root = path.resolve(import.meta.dirname, "../../..");

/** Bundles the child under node_modules, where its packages are found; answers the script. */
export async function buildChild(): Promise<string> {
  const outdir = path.join(root, "node_modules", ".cache", "crash-test");
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `child-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(root, "tests/support/crash/child.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    alias: { "~": path.join(root, "app"), "~db": path.join(root, "db") },
    external: packagesOnly(),
    logLevel: "error",
  });
  return outfile;
}

/** Every package stays outside; `~/…` and `~db/…` are ours. */
function packagesOnly(): string[] {
  return [
    "kysely",
    "libsql",
    "mysql2",
    "pino",
    "zod",
    "ipaddr.js",
    "nodemailer",
    "prom-client",
    "date-fns",
    "@*",
    "sharp",
    "dcmjs*",
    "dicom-parser",
    "file-type",
    "pdfkit",
    "archiver",
    "saxes",
    "ssh2-sftp-client",
    "react",
    "react-dom*",
    "react/*",
  ];
}

export interface Ended {
  signal: NodeJS.Signals | null;
  code: number | null;
  /** How many statements it had run; null when it was killed. */
  statements: number | null;
  errors: string;
}

/** @param env settings of the portal beside its data, database and secret */
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
      CRASH_PLAN: JSON.stringify(plan),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      const statements = /statements=(\d+)/.exec(said)?.[1];
      resolve({ signal, code, statements: statements === undefined ? null : Number(statements), errors });
    });
  });
}

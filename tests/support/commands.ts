import { spawn } from "node:child_process";
import path from "node:path";
import { vi } from "vitest";
import { runCli } from "~/cli/run.server";
import { loadConfig } from "~/config/config.server";

export const COMMAND_SECRET = "a-secret-of-the-backup-tests-that-is-long-enough";
const program = path.join(import.meta.dirname, "..", "..", "build", "server.js");

export interface Ended {
  code: number | null;
  output: string;
}

/** Runs a command in a process of its own. */
export function runApart(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH ?? "", NODE_ENV: "development", APP_SECRET: COMMAND_SECRET, ...env },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
    child.on("exit", (code) => resolve({ code, output }));
  });
}

/** Runs a command in this process, which is faster. */
export async function run(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const error = vi.mocked(console.error).mockImplementation(() => undefined);
  const umask = process.umask();
  try {
    await runCli(args, () => loadConfig({ NODE_ENV: "development", APP_SECRET: COMMAND_SECRET, ...env }));
    const output = [...log.mock.calls, ...error.mock.calls].map(String).join("\n");
    return { code: Number(process.exitCode ?? 0), output };
  } finally {
    process.umask(umask);
    process.exitCode = undefined;
    log.mockRestore();
    error.mockClear();
  }
}

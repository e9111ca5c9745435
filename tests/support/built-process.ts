import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { SECRET } from "../../scripts/test-server.mjs";

const program = path.join(import.meta.dirname, "..", "..", "build", "server.js");

export interface BuiltWorker {
  stop(): Promise<void>;
  /** By SIGKILL, without cleanup. */
  kill(): Promise<void>;
}

/** The built `worker` in a process of its own. */
export function startBuiltWorker(env: Record<string, string>): BuiltWorker {
  const child = spawn(process.execPath, [program, "worker"], {
    stdio: "ignore",
    env: { PATH: process.env.PATH, NODE_ENV: "test", APP_SECRET: SECRET, SQLITE_SYNC: "normal", ...env },
  });
  const ended = once(child, "exit");
  // In case the run ends before the test.
  const abandon = () => child.kill("SIGKILL");
  process.once("exit", abandon);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
    process.off("exit", abandon);
  };
  return { stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

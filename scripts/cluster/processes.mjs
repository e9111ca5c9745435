/** Processes that are started, killed and restarted, each with a log. */
import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

const living = new Set();
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

/**
 * @param {string} folder of the log `<name>.log`, which is appended to
 * @param {string} name @param {string} program @param {string[]} args @param {Record<string, string>} [env]
 * @param {string} [cwd]
 */
export function startProcess(folder, name, program, args, env, cwd) {
  const log = path.join(folder, `${name}.log`);
  const file = openSync(log, "a");
  const child = spawn(program, args, {
    cwd,
    stdio: ["ignore", file, file],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  living.add(child);
  const ended = new Promise((resolve) =>
    child.once("exit", () => {
      living.delete(child);
      resolve(undefined);
    }),
  );
  return {
    pid: child.pid,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => readFileSync(log, "utf8").slice(-3000),
    /** @param {NodeJS.Signals} signal */
    async stop(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** @param {number} count @returns {Promise<number[]>} free at this moment, all different */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise((resolve, reject) => {
          server.once("error", reject);
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            resolve(typeof address === "object" && address ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/**
 * One MariaDB of our own for a test run or a benchmark: made in a temporary folder, reachable on a free port of 127.0.0.1,
 * gone when stopped. `TEST_MARIADB_URL` names a server of yours instead (its user must be allowed to create databases).
 * Plain JavaScript, because the benchmark runs it without a compiler.
 */
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";

const folders = [
  ...(process.env.PATH ?? "").split(path.delimiter),
  "/usr/sbin",
  "/usr/bin",
  "/usr/libexec",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
];

/** The paths of the server and its installer, or undefined when either is missing; a server of your own is as good. */
export function findMariaDb() {
  if (process.env.TEST_MARIADB_URL) return { external: process.env.TEST_MARIADB_URL };
  const find = (/** @type {string} */ name) => folders.map((folder) => path.join(folder, name)).find(isProgram);
  const server = find("mariadbd");
  const installer = find("mariadb-install-db");
  return server && installer ? { server, installer } : undefined;
}

/**
 * @typedef {object} RunningMariaDb
 * @property {string} url without a database: `mysql://root@127.0.0.1:<port>`
 * @property {number | undefined} pid
 * @property {() => Promise<void>} stop
 */

/**
 * @param {{ durable?: boolean }} [options] `durable: true` keeps the server's own care for the disk (for benchmarks); tests go without.
 * @returns {Promise<RunningMariaDb>}
 */
export async function startMariaDb({ durable = false } = {}) {
  const found = findMariaDb();
  if (!found)
    throw new Error(
      "mariadbd and mariadb-install-db were not found. `npm test` installs them as root on Debian; or set TEST_MARIADB_URL.",
    );
  if ("external" in found)
    return { url: String(found.external).replace(/\/+$/, ""), pid: undefined, stop: async () => {} };

  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-mariadb-"));
  const data = path.join(folder, "data");
  const asRoot = process.getuid?.() === 0 ? ["--user=root"] : [];
  const install = spawnSync(
    found.installer,
    [
      "--no-defaults",
      `--datadir=${data}`,
      `--tmpdir=${folder}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
      "--skip-name-resolve",
      ...asRoot,
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );
  if (install.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`mariadb-install-db failed:\n${install.stdout}${install.stderr}`);
  }

  // Between asking for a free port and using it, another process may have taken it.
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort(), found.server, folder, data, asRoot, durable);
    } catch (error) {
      if (attempt < 3) continue;
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

/**
 * @param {number} port @param {string} program @param {string} folder @param {string} data @param {string[]} asRoot @param {boolean} durable
 * @returns {Promise<RunningMariaDb>}
 */
async function startOn(port, program, folder, data, asRoot, durable) {
  const log = path.join(folder, "error.log");
  const careless = [
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-doublewrite=0",
    "--innodb-flush-method=O_DIRECT_NO_FSYNC",
    // Hundreds of databases of a hundred tables each come and go: without a file for each table a fifth of that time is saved.
    "--innodb-file-per-table=0",
  ];
  const server = spawn(
    program,
    [
      "--no-defaults",
      ...asRoot,
      `--datadir=${data}`,
      `--tmpdir=${folder}`,
      `--socket=${path.join(folder, "s")}`,
      `--pid-file=${path.join(folder, "pid")}`,
      `--log-error=${log}`,
      "--bind-address=127.0.0.1",
      `--port=${port}`,
      "--skip-name-resolve",
      "--skip-log-bin",
      "--character-set-server=utf8mb4",
      "--max-connections=300",
      "--innodb-buffer-pool-size=256M",
      ...(durable ? [] : careless),
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => server.once("exit", resolve));
  // The last resort, should the run end without stop().
  const abandon = () => {
    server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", abandon);

  await answering(port, server).catch((error) => {
    server.kill("SIGKILL");
    process.off("exit", abandon);
    throw new Error(`${error.message}\n${readLog(log)}`);
  });
  return {
    url: `mysql://root@127.0.0.1:${port}`,
    pid: server.pid,
    stop: async () => {
      server.kill("SIGTERM");
      const hurry = setTimeout(() => server.kill("SIGKILL"), 15_000);
      await ended;
      clearTimeout(hurry);
      process.off("exit", abandon);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the server lets root in. @param {number} port @param {import("node:child_process").ChildProcess} server */
async function answering(port, server) {
  const { createConnection } = await import("mysql2/promise");
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error("mariadbd ended while starting.");
    try {
      const connection = await createConnection({ host: "127.0.0.1", port, user: "root" });
      await connection.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`mariadbd did not answer within 30 s: ${error}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** @param {string} file */
function readLog(file) {
  try {
    return readFileSync(file, "utf8").split("\n").slice(-30).join("\n");
  } catch {
    return "(no log)";
  }
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

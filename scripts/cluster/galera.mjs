/** Two MariaDB nodes of one Galera cluster and an arbitrator on free ports of 127.0.0.1. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { createConnection } from "mysql2/promise";
import { findMariaDb } from "../../tests/support/mariadb.mjs";
import { PreparationError, projectFolder } from "../preparation.mjs";
import { freePorts, startProcess } from "./processes.mjs";

const PROVIDER = "/usr/lib/galera/libgalera_smm.so";
const ARBITRATOR = "/usr/bin/garbd";
const CLUSTER = "portal";
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? ["--user=mysql"] : [];

export const findGalera = () => existsSync(PROVIDER) && existsSync(ARBITRATOR);

/** @typedef {{ name: string, port: number, group: number, data: string }} Node */

/** Creates two nodes with equal data, starts the cluster with the first, and waits until all have joined. */
export async function startGalera(folder) {
  chmodSync(folder, 0o711);
  const found = findMariaDb();
  if (!found || "external" in found) throw new PreparationError("The cluster starts MariaDB nodes of its own.");
  const [portA, portB, groupA, groupB, groupC] = await freePorts(5);
  /** @type {Node} */
  const a = { name: "a", port: portA, group: groupA, data: path.join(folder, "a") };
  /** @type {Node} */
  const b = { name: "b", port: portB, group: groupB, data: path.join(folder, "b") };
  const members = `gcomm://127.0.0.1:${groupA},127.0.0.1:${groupB}`;
  const start = (node, ...options) => startNode(folder, found.server, node, members, options);

  install(found.installer, a.data);
  const first = await start(a, "--wsrep-new-cluster");
  await askAt(portA, "create user haproxy@'%'", "create database portal");
  await first.stop("SIGTERM");
  // The second starts with a copy, so that it fetches the difference only.
  cpSync(a.data, b.data, { recursive: true });
  chownToServer(b.data);
  const running = { a: await start(a, "--wsrep-new-cluster"), b: await start(b) };
  const arbitrator = startProcess(
    folder,
    "arbitrator",
    ARBITRATOR,
    ["--address", members, "--group", CLUSTER, "--options", `gmcast.listen_addr=tcp://127.0.0.1:${groupC}`],
    {},
    folder,
  );
  await until(async () => (await statusOf(portB, "wsrep_cluster_size")) === "3", "three members of the cluster");
  const nodes = { a, b };
  return {
    ports: { a: portA, b: portB },
    status: (name, variable) => statusOf(nodes[name].port, variable),
    ask: (name, ...statements) => askAt(nodes[name].port, ...statements),
    kill: (name) => running[name].stop("SIGKILL"),
    /** After a kill: its position is read from its log, and the other node sends the rest. */
    async comeBack(name) {
      const node = nodes[name];
      const position = await recover(found.server, node);
      running[name] = await start(node, `--wsrep-start-position=${position}`);
    },
    async stop() {
      await Promise.all([running.a.stop("SIGKILL"), running.b.stop("SIGKILL"), arbitrator.stop("SIGKILL")]);
    },
  };
}

function install(installer, data) {
  const made = spawnSync(
    installer,
    [
      "--no-defaults",
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
      "--skip-name-resolve",
      ...asUser,
    ],
    { encoding: "utf8" },
  );
  if (made.status !== 0) throw new PreparationError(`mariadb-install-db failed:\n${made.stdout}${made.stderr}`);
}

function chownToServer(folder) {
  if (isRoot) spawnSync("chown", ["-R", "mysql:mysql", folder]);
}

const common = [`--defaults-file=${path.join(projectFolder, "deploy", "galera.cnf")}`, ...asUser];

async function startNode(folder, program, node, members, options) {
  const [copies, missed] = await freePorts(2);
  const own = path.join(folder, `run-${node.name}`);
  mkdirSync(own, { recursive: true });
  chownToServer(own);
  const running = startProcess(folder, `database-${node.name}`, program, [
    ...common,
    `--datadir=${node.data}`,
    `--tmpdir=${own}`,
    `--socket=${path.join(own, "s")}`,
    `--pid-file=${path.join(own, "pid")}`,
    "--bind-address=127.0.0.1",
    `--port=${node.port}`,
    "--skip-name-resolve",
    `--wsrep-cluster-name=${CLUSTER}`,
    `--wsrep-cluster-address=${members}`,
    `--wsrep-node-name=${node.name}`,
    "--wsrep-node-address=127.0.0.1",
    "--wsrep-sst-method=rsync",
    `--wsrep-sst-receive-address=127.0.0.1:${copies}`,
    `--wsrep-provider-options=gcache.size=512M;gmcast.listen_addr=tcp://127.0.0.1:${node.group};ist.recv_addr=127.0.0.1:${missed}`,
    ...options,
  ]);
  await until(async () => {
    if (running.hasEnded()) throw new Error(`Node ${node.name} ended:\n${running.output()}`);
    return (await statusOf(node.port, "wsrep_ready")) === "ON";
  }, `node ${node.name}`);
  return running;
}

/** Ends the program once it has reported; otherwise it may run for minutes and fill the memory. */
function recover(program, node) {
  return new Promise((resolve, reject) => {
    const recovery = spawn(
      program,
      [
        ...common,
        `--datadir=${node.data}`,
        // Debian's own socket folder exists only where its service was started.
        `--socket=${path.join(node.data, "recovery")}`,
        "--bind-address=127.0.0.1",
        `--port=${node.port}`,
        "--wsrep-recover",
        "--wsrep-cluster-address=gcomm://",
      ],
      { cwd: node.data, stdio: ["ignore", "pipe", "pipe"] },
    );
    const patience = setTimeout(() => recovery.kill("SIGKILL"), 60_000);
    let output = "";
    const read = (chunk) => {
      output += chunk;
      if (positionIn(output)) recovery.kill("SIGKILL");
    };
    recovery.stdout.on("data", read);
    recovery.stderr.on("data", read);
    recovery.once("close", () => {
      clearTimeout(patience);
      const position = positionIn(output);
      if (position) resolve(position);
      else reject(new Error(`Node ${node.name} does not know where it stood:\n${output.slice(-2000)}`));
    });
  });
}

const positionIn = (output) => /Recovered position:? ([0-9a-f-]{36}:\d+)/.exec(output)?.[1];

async function statusOf(port, variable) {
  try {
    return (await askAt(port, "set wsrep_sync_wait = 0", `show status like '${variable}'`))[0]?.Value;
  } catch {
    return undefined;
  }
}

/** Runs statements in order; returns the last one's rows. */
export async function askAt(port, ...statements) {
  const connection = await createConnection({ host: "127.0.0.1", port, user: "root", connectTimeout: 3000 });
  // A node that left or is joining may never answer.
  const patience = setTimeout(() => connection.destroy(), 20_000);
  try {
    /** @type {any} */
    let rows;
    for (const statement of statements) [rows] = await connection.query(statement);
    return rows;
  } finally {
    clearTimeout(patience);
    connection.destroy();
  }
}

export async function until(isTrue, what, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Waited ${seconds} s in vain: ${what}`);
}

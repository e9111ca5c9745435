/**
 * An S3 store of our own: OpenStack Swift (Debian's packages) with its s3api, one replica in a temporary folder, on free ports of 127.0.0.1,
 * gone when stopped. Buckets may keep versions, and what is stored is encrypted on the disk.
 * Plain JavaScript, because scripts run it without a compiler.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";

const servers = /** @type {const} */ (["account", "container", "object"]);
const programs = [...servers, "proxy"].map((name) => `/usr/bin/swift-${name}-server`);

export const findSwift = () => programs.every((file) => existsSync(file));

/** @type {{ accessKeyId: string, secretAccessKey: string }} */
const credentials = { accessKeyId: "test:portal", secretAccessKey: "swift-secret-of-the-tests" };

/**
 * @typedef {object} RunningSwift
 * @property {string} endpoint of its s3api: `http://127.0.0.1:<port>`
 * @property {number} port
 * @property {string} folder below which the objects lie
 * @property {{ accessKeyId: string, secretAccessKey: string }} credentials
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<RunningSwift>} */
export async function startSwift() {
  if (!findSwift()) throw new Error("Swift was not found. `npm run test:matrix` installs it as root on Debian.");
  // Swift keeps what it knows of an object in extended attributes, which a folder in memory may not have.
  const folder = mkdtempSync(path.join(existsSync("/var/tmp") ? "/var/tmp" : os.tmpdir(), "portal-swift-"));
  const devices = path.join(folder, "devices");
  mkdirSync(path.join(devices, "d1"), { recursive: true });
  /** @type {import("node:child_process").ChildProcess[]} */
  const running = [];
  const stop = async () => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGKILL");
        await ended;
      }),
    );
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const ports = await freePorts(servers.length + 1);
    makeRings(folder, Object.fromEntries(servers.map((name, nth) => [name, ports[nth] ?? 0])));
    const port = ports[servers.length] ?? 0;
    const configs = [
      ...servers.map((name, nth) => ({ name, port: ports[nth] ?? 0, text: storageServer(name, devices) })),
      { name: "proxy", port, text: proxyServer },
    ];
    for (const config of configs) running.push(start(folder, config));
    await Promise.all(
      configs.map((config, nth) =>
        answers(config, /** @type {never} */ (running[nth]), path.join(folder, `${config.name}.log`)),
      ),
    );
    return { endpoint: `http://127.0.0.1:${port}`, port, folder: devices, credentials, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where each server keeps what: one device, one replica. Its own program would be started nine times for it. */
const ringMaker = `
import json, sys
from swift.common.ring import RingBuilder
folder, ports = sys.argv[1], json.loads(sys.argv[2])
for name, port in ports.items():
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "d1", "weight": 100.0, "meta": ""})
    builder.rebalance()
    builder.get_ring().save(folder + "/" + name + ".ring.gz")
`;

/** @param {string} folder @param {Record<string, number>} ports */
function makeRings(folder, ports) {
  const made = spawnSync("/usr/bin/python3", ["-c", ringMaker, folder, JSON.stringify(ports)], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`Swift's rings were not made:\n${made.stderr}`);
}

/** @param {string} folder @param {{ name: string, port: number, text: string }} server */
function start(folder, { name, port, text }) {
  const file = path.join(folder, `${name}.conf`);
  writeFileSync(
    file,
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${os.userInfo().username}\nswift_dir = ${folder}\n${text}`,
  );
  const log = path.join(folder, `${name}.log`);
  return spawn("/bin/sh", ["-c", `exec "$0" "$1" -v > "$2" 2>&1`, `/usr/bin/swift-${name}-server`, file, log], {
    stdio: "ignore",
  });
}

/** @param {string} name @param {string} devices */
const storageServer = (name, devices) => `devices = ${devices}
mount_check = false
${name === "object" ? "disable_fallocate = true\n" : ""}
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
${name === "container" ? "allow_versions = true\n" : ""}`;

const proxyServer = `
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth slo versioned_writes symlink keymaster encryption proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
# tempauth asks for a cache; what it says of a signed request is not kept in it, so none need answer.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_${credentials.accessKeyId.replace(":", "_")} = ${credentials.secretAccessKey} .admin
[filter:slo]
use = egg:swift#slo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
[filter:keymaster]
use = egg:swift#keymaster
encryption_root_secret = ${Buffer.from("an encryption root secret of the tests").toString("base64")}
[filter:encryption]
use = egg:swift#encryption
`;

/** @param {{ name: string, port: number }} server @param {import("node:child_process").ChildProcess} child @param {string} log */
async function answers({ name, port }, child, log) {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null)
      throw new Error(`swift-${name}-server ended:\n${readFileSync(log, "utf8").slice(-3000)}`);
    const isUp = await fetch(`http://127.0.0.1:${port}/healthcheck`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`swift-${name}-server does not answer:\n${readFileSync(log, "utf8").slice(-3000)}`);
}

/** @param {number} count */
async function freePorts(count) {
  const open = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((/** @type {(server: import("node:net").Server) => void} */ resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = open.map((server) => /** @type {import("node:net").AddressInfo} */ (server.address()).port);
  await Promise.all(open.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

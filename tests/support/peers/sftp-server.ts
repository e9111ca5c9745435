import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findSshd } from "../openssh.mjs";

export interface SftpServer {
  port: number;
  user: string;
  /** The session's root, and its real folder. */
  folder: string;
  keyFile: string;
  hostKey: string;
  /** Refuses or accepts the key from now on. */
  letIn(key: boolean): void;
  stop(): Promise<void>;
}

/** OpenSSH's server with its own configuration and keys in a temporary folder, as the user of the tests. */
export async function startSftpServer(options: { maxFileKilobytes?: number } = {}): Promise<SftpServer> {
  const sshd = findSshd();
  if (!sshd) throw new Error("OpenSSH's server is missing: npm run test:matrix installs it, or says how");
  const own = mkdtempSync(path.join(os.tmpdir(), "portal-sftp-"));
  const folder = path.join(own, "files");
  mkdirSync(folder);
  for (const key of ["host", "client"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path.join(own, key)]);
  const authorized = path.join(own, "authorized_keys");
  const letIn = (key: boolean) => writeFileSync(authorized, key ? readFileSync(path.join(own, "client.pub")) : "");
  letIn(true);
  // Root's server separates privileges and needs this folder.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const port = await freePort();
  writeFileSync(path.join(own, "config"), configOf({ own, port, folder, authorized }));
  const serve = [sshd, "-D", "-e", "-f", path.join(own, "config")];
  // Simulates a full disk by a file size limit with an error instead of a signal.
  const child =
    options.maxFileKilobytes === undefined
      ? spawn(serve[0]!, serve.slice(1), { stdio: ["ignore", "ignore", "pipe"] })
      : spawn("bash", ["-c", `trap '' XFSZ; ulimit -f ${options.maxFileKilobytes}; exec "$@"`, "bash", ...serve], {
          stdio: ["ignore", "ignore", "pipe"],
        });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for (let turn = 0; !(await answers(port)); turn += 1) {
    if (turn > 200 || child.exitCode !== null) throw new Error(`sshd did not start: ${output}`);
    await sleep(25);
  }
  return {
    port,
    user: os.userInfo().username,
    folder,
    keyFile: path.join(own, "client"),
    hostKey: fingerprintOf(readFileSync(path.join(own, "host.pub"), "utf8")),
    letIn,
    async stop() {
      child.kill();
      await ended;
      rmSync(own, { recursive: true, force: true });
    },
  };
}

const configOf = (given: { own: string; port: number; folder: string; authorized: string }) => `
ListenAddress 127.0.0.1
Port ${given.port}
HostKey ${path.join(given.own, "host")}
AuthorizedKeysFile ${given.authorized}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding no
MaxStartups 100
Subsystem sftp internal-sftp
ForceCommand internal-sftp
LogLevel ERROR
`;

/** As printed by `ssh-keygen -l`. */
function fingerprintOf(publicKey: string): string {
  const digest = createHash("sha256")
    .update(Buffer.from(publicKey.split(" ")[1]!, "base64"))
    .digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
